import type { ReactNode } from 'react';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { BotName } from '../../features/reports/BotName.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import { PagePath } from '../../features/reports/PagePath.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { Time } from '../../parts/Time.tsx';
import { STATUS_WORDS } from './statuses.ts';

const bot: Column<FailureItem> = {
  key: 'bot',
  label: 'Bot',
  kind: 'name',
  sort: 'bot',
  rank: 1,
  cell: ({ bot: name, vendor, intent }) => (
    <BotName {...{ vendor, intent }} bot={name} to="failures" narrow={{ bot: name, group: 'bot_page' }} />
  ),
};
const page: Column<FailureItem> = {
  key: 'page',
  label: 'Path',
  kind: 'name',
  sort: 'path',
  rank: 1,
  cell: ({ host, path }) => (
    <>
      <ReportLink to="failures" narrow={{ page: path, host, group: 'bot_page' }}>
        <PagePath host={host} path={path} />
      </ReportLink>
    </>
  ),
};

/** So many statuses have a column of their own. */
const COLUMNS = 4;

type Whole = Pick<FailuresAnswer, 'by_status' | 'totals' | 'items'>;

/**
 * @param status of the visits that are counted, as the explorer names them
 * @param whole of all bots: what a bot's own rates are held against; undefined: not known yet
 * @param kind of the listed failures, as the address has it
 */
export function failureColumns(
  group: 'page' | 'bot' | 'bot_page',
  status: string,
  whole: Whole | undefined,
  kind: string | undefined,
): Column<FailureItem>[] {
  const placeOf = ({ host, path, bot: name }: Pick<FailureItem, 'host' | 'path' | 'bot'>): VisitChange => ({
    status,
    ...(group === 'bot' ? {} : { host, page: path }),
    ...(group === 'page' ? {} : { bot: name }),
  });
  const onDemand: Column<FailureItem> = {
    key: 'people',
    label: 'On demand',
    term: 'on-demand',
    kind: 'figure',
    rank: 4,
    cell: ({ on_demand: count, estimates, ...item }) =>
      count === 0 ? (
        <span className="quiet">0</span>
      ) : (
        <VisitsLink narrow={{ ...placeOf(item), intent: 'on_demand' }} of="while a person was waiting">
          {countText(count, estimates['on_demand'])}
        </VisitsLink>
      ),
  };
  if (group === 'bot') return [bot, ...statusColumns(whole), sumColumn(placeOf), rateColumn(whole), LAST];
  return [
    ...(group === 'page' ? [page] : [page, bot]),
    {
      key: 'statuses',
      label: 'Status',
      kind: 'name',
      rank: 2,
      wide: true,
      isPlain: true,
      cell: ({ statuses, estimates, ...item }) => (
        <span className="status-marks">
          {statuses
            .toSorted((a, b) => a.status - b.status)
            .map(({ status: one, hits }) => (
              <span
                key={one}
                className="fix-status number"
                data-status={Math.floor(one / 100)}
                title={`${countText(hits, estimates[`statuses.${one}`])} times`}
              >
                <VisitsLink narrow={{ ...placeOf(item), status: String(one) }}>{one}</VisitsLink>
                {/* Alone it is how often the row failed. */}
                {statuses.length > 1 && (
                  <span className="status-count">{countText(hits, estimates[`statuses.${one}`])}</span>
                )}
              </span>
            ))}
        </span>
      ),
    },
    sumColumn(placeOf),
    rateColumn(undefined),
    onDemand,
    ...(group === 'page'
      ? [
          {
            key: 'bots',
            label: 'Bots',
            kind: 'figure' as const,
            rank: 4 as const,
            cell: ({ bots, host, path }: FailureItem) => (
              <ReportLink
                to="failures"
                narrow={{ page: path, host, group: 'bot_page', kind }}
                className="figure-link"
                title="Show these bots"
              >
                {countText(bots)}
              </ReportLink>
            ),
          },
        ]
      : []),
    LAST,
  ];
}

const LAST: Column<FailureItem> = {
  key: 'last',
  label: 'Last error',
  kind: 'time',
  sort: 'last_seen',
  rank: 2,
  cell: ({ last_failure: at }) => <Time value={at} form="ago" />,
};

const sumColumn = (placeOf: (item: FailureItem) => VisitChange): Column<FailureItem> => ({
  key: 'failures',
  label: 'All failed',
  term: 'failure',
  kind: 'figure',
  sort: 'failures',
  rank: 1,
  cell: (item) => <VisitsLink narrow={placeOf(item)}>{countText(item.failures, item.estimated)}</VisitsLink>,
});

/** A rate that stands out against that of all bots is marked. */
const rateColumn = (whole: Whole | undefined): Column<FailureItem> => ({
  key: 'share',
  label: 'Failure rate',
  note: whole?.totals.failing_share == null ? undefined : `all bots ${shareText(whole.totals.failing_share)}`,
  kind: 'figure',
  sort: 'failing_share',
  rank: 2,
  cell: ({ failures, hits, failing_share: share }) => (
    <>
      {whole !== undefined && (
        <SplitBar
          width={48}
          of={Math.max(...whole.items.map(({ failing_share: one }) => one))}
          parts={[{ key: 'rate', paint: 'client_error', value: share }]}
        />
      )}
      <Rate count={failures} hits={hits} of={whole?.totals.failures} all={whole?.totals.hits}>
        {shareText(share)}
      </Rate>
    </>
  ),
});

/** The statuses that most visits had, in the order of their numbers, and one for the others where there are any. */
function statusColumns(whole: Whole | undefined): Column<FailureItem>[] {
  const all = whole?.by_status ?? [];
  const shown = all.slice(0, COLUMNS).toSorted((a, b) => a.status - b.status);
  const countOf = ({ statuses }: FailureItem, status: number) =>
    statuses.find((one) => one.status === status)?.hits ?? 0;
  const columns = shown.map(
    ({ status, hits: of }): Column<FailureItem> => ({
      key: String(status),
      label: String(status),
      note: STATUS_WORDS[status],
      unit: STATUS_WORDS[status],
      kind: 'figure',
      rank: 2,
      cell: (item) => {
        const count = countOf(item, status);
        return count === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <Rate count={count} hits={item.hits} of={of} all={whole?.totals.hits}>
            <VisitsLink narrow={{ bot: item.bot, status: String(status) }}>
              {countText(count, item.estimates[`statuses.${status}`])}
            </VisitsLink>
          </Rate>
        );
      },
    }),
  );
  const others: Column<FailureItem> = {
    key: 'others',
    label: 'Others',
    kind: 'figure',
    rank: 3,
    cell: (item) =>
      countText(
        Math.max(0, item.failures - shown.reduce((sum, { status }) => sum + countOf(item, status), 0)),
      ),
  };
  return all.length > shown.length ? [...columns, others] : columns;
}

/** Fewer failures are chance, and what exceeds the expected number by so many times its spread is not. */
const FEWEST = 10;
const SPREADS = 3;

interface RateProps {
  count: number;
  /** Visits of the row. */
  hits: number;
  /** The same of all rows. */
  of: number | undefined;
  all: number | undefined;
  children: ReactNode;
}

/** Marked where it is clearly higher than that of the site. */
function Rate({ count, hits, of = 0, all = 0, children }: RateProps) {
  const expected = all === 0 ? count : (of / all) * hits;
  if (count < FEWEST || count <= expected + SPREADS * Math.sqrt(expected)) return children;
  return (
    <span
      className="text-bad"
      title={`${shareText(count / hits)} of its visits; all bots together: ${shareText(of / all)}`}
    >
      <span aria-hidden="true">▲ </span>
      {children}
      <span className="visually-hidden">, above the site’s rate</span>
    </span>
  );
}

/** Of answers, as the address says it. */
export type FailureKind = 'errors' | 'client_error' | 'server_error' | 'redirect';
export type FailuresAnswer = ReportAnswer<'failures'>;
type FailureItem = FailuresAnswer['items'][number];
