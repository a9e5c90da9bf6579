import type { ReportAnswer } from '../../features/reports/api.ts';
import { BotName } from '../../features/reports/BotName.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import { OtherHost } from '../../features/reports/OtherHost.tsx';
import { PathText, ReportLink } from '../../features/reports/ReportLink.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { Time } from '../../parts/Time.tsx';

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
        <PathText path={path} />
      </ReportLink>
      <OtherHost host={host} />
    </>
  ),
};

/** @param status of the visits that are counted, as the explorer names them */
export function failureColumns(group: 'page' | 'bot' | 'bot_page', status: string): Column<FailureItem>[] {
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
  return [
    ...(group === 'bot' ? [bot] : group === 'page' ? [page] : [page, bot]),
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
    {
      key: 'failures',
      label: 'Failed',
      term: 'failure',
      kind: 'figure',
      sort: 'failures',
      rank: 1,
      cell: (item) => (
        <VisitsLink narrow={placeOf(item)}>{countText(item.failures, item.estimated)}</VisitsLink>
      ),
    },
    {
      key: 'share',
      label: 'Failure rate',
      kind: 'figure',
      sort: 'failing_share',
      rank: 2,
      cell: ({ failing_share: share }) => shareText(share),
    },
    // A bot comes either on demand or not: its row would say 0, or its failures again.
    ...(group === 'bot' ? [] : [onDemand]),
    ...(group === 'page'
      ? [
          {
            key: 'bots',
            label: 'Bots',
            kind: 'figure' as const,
            rank: 4 as const,
            cell: ({ bots }: FailureItem) => countText(bots),
          },
        ]
      : []),
    {
      key: 'last',
      label: 'Last failed',
      kind: 'time',
      sort: 'last_seen',
      rank: 2,
      cell: ({ last_failure: at }) => <Time value={at} form="ago" />,
    },
  ];
}

export type FailuresAnswer = ReportAnswer<'failures'>;
type FailureItem = FailuresAnswer['items'][number];
