import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { countText, failedOf, filesText, shareText } from '../../features/reports/figures.ts';
import { ReportLink, RowOpens } from '../../features/reports/ReportLink.tsx';
import { Delta, FROM_NONE } from '../../features/reports/Stat.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted, makerAndIntent } from '../../format/names.ts';
import { Time } from '../../parts/Time.tsx';

/**
 * @param hadBefore whether the previous period had visits: only then can an entry be new
 * @param isRunning whether the last day is not over: a trend ends before it
 * @param isWhole spoofed visits are counted: otherwise a bar has none of them either
 * @param vendors names of each vendor's bots, where they are known, and the colours that the chart gives vendors
 */
export function botColumns(
  group: 'bot' | 'vendor',
  hadBefore: boolean,
  isRunning: boolean,
  isWhole: boolean,
  {
    botsOf,
    paints,
  }: {
    readonly botsOf: ReadonlyMap<string, readonly string[]>;
    readonly paints: ReadonlyMap<string, string>;
  },
): Column<BotItem>[] {
  const namedOf = ({ bot, vendor, intent }: Pick<BotItem, 'bot' | 'vendor' | 'intent'>): VisitChange =>
    group === 'bot' ? { bot, vendor, ...(intent === '' ? {} : { intent }) } : { vendor };
  return [
    {
      key: 'name',
      label: group === 'bot' ? 'Bot' : 'Vendor',
      kind: 'name',
      sort: group === 'bot' ? 'bot' : 'vendor',
      rank: 1,
      cell: (item) => (
        <div className="marked">
          <CompanyMark of={item.vendor} size={24} />
          <div>
            <ReportLink to="bots" narrow={group === 'bot' ? { bot: item.bot } : { vendor: item.vendor }}>
              {group === 'bot' ? item.bot : item.vendor}
            </ReportLink>
            <RowOpens />
            {item.is_new === true && <span className="tag tag-new">new</span>}
            <span className="cell-detail">
              {group === 'bot'
                ? makerAndIntent(item.vendor, item.intent)
                : item.bots === 0
                  ? 'no visits in this period'
                  : namesText(botsOf.get(item.vendor), item.bots)}
            </span>
            {/* A phone has no column for it. */}
            <span className="intent-line">
              <Identity item={item} isWhole={isWhole} isWide />
            </span>
          </div>
        </div>
      ),
    },
    {
      key: 'trend',
      label: 'Trend',
      kind: 'picture',
      rank: 4,
      // One day has no trend.
      cell: ({ series, intent, vendor }) => {
        const values = isRunning ? series.slice(0, -1) : series;
        return values.length > 1 ? (
          <Sparkline values={values} of={group === 'vendor' ? (paints.get(vendor) ?? 'mixed') : intent} />
        ) : null;
      },
    },
    {
      key: 'hits',
      label: 'Visits',
      kind: 'figure',
      sort: 'hits',
      rank: 1,
      cell: (item) => <VisitsLink narrow={namedOf(item)}>{countText(item.hits, item.estimated)}</VisitsLink>,
    },
    {
      key: 'change',
      label: 'Change',
      term: 'change',
      kind: 'figure',
      sort: 'change',
      rank: 2,
      isPlain: true,
      cell: (item) => (
        <Delta of={item} none={hadBefore && item.previous?.hits === 0 ? FROM_NONE : undefined} isRow />
      ),
    },
    {
      key: 'pages',
      label: 'Pages',
      term: 'page',
      kind: 'figure',
      sort: 'pages',
      rank: 3,
      cell: ({ pages, files, bot, vendor }) =>
        pages === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <ReportLink
            to="pages"
            narrow={group === 'bot' ? { bot } : { vendor }}
            className="figure-link"
            title={files === 0 ? 'Show these pages' : `Show these pages; it also read ${filesText(files)}`}
          >
            {countText(pages)}
          </ReportLink>
        ),
    },
    {
      key: 'identity',
      label: 'Identity',
      term: 'identity',
      kind: 'picture',
      rank: 3,
      cell: (item) => <Identity item={item} isWhole={isWhole} />,
    },
    {
      key: 'spoofed',
      label: 'Spoofed',
      term: 'spoofed',
      kind: 'figure',
      sort: 'spoofed',
      rank: 2,
      cell: ({ spoofed, verified, unknown, estimates, ...item }) =>
        spoofed === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <span
            className="text-bad"
            title={`${shareText(spoofed / (spoofed + verified + unknown))} of all visits with this name`}
          >
            <VisitsLink narrow={{ ...namedOf(item), verdict: 'spoofed' }}>
              {countText(spoofed, estimates['spoofed'])}
            </VisitsLink>
          </span>
        ),
    },
    {
      key: 'errors',
      label: 'Failed',
      term: 'failure',
      kind: 'figure',
      sort: 'errors',
      rank: 3,
      cell: (item) => {
        const { failed, estimated } = failedOf(item);
        return failed === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <ReportLink to="failures" narrow={group === 'bot' ? { bot: item.bot } : { vendor: item.vendor }}>
            {countText(failed, estimated)}
          </ReportLink>
        );
      },
    },
    {
      key: 'seen',
      label: 'Last seen',
      kind: 'time',
      sort: 'last_seen',
      rank: 2,
      cell: ({ last_seen: at }) => <Time value={at} form="ago" none="no visits" />,
    },
  ];
}

/** `GPTBot, ChatGPT-User, +2`. */
function namesText(names: readonly string[] | undefined, count: number): string {
  if (names === undefined) return counted(count, 'bot');
  const shown = names.slice(0, count > NAMED + 1 ? NAMED : NAMED + 1);
  return [...shown, ...(count > shown.length ? [`+${count - shown.length}`] : [])].join(', ');
}
const NAMED = 2;

interface IdentityProps {
  item: BotItem;
  isWhole: boolean;
  /** As wide as its container. */
  isWide?: boolean;
}

function Identity({
  item: { verified, unknown, spoofed, estimates: of },
  isWhole,
  isWide = false,
}: IdentityProps) {
  const fakes = isWhole ? spoofed : 0;
  return (
    <span
      title={`${countText(verified, of['verified'])} verified, ${countText(unknown, of['unknown'])} unknown${isWhole ? `, ${countText(spoofed, of['spoofed'])} spoofed` : ''}`}
    >
      <SplitBar
        {...(isWide ? { wide: true, width: 400, height: 4 } : { width: 84 })}
        of={verified + unknown + fakes}
        parts={[
          { key: 'verified', paint: 'verified', value: verified },
          { key: 'unknown', paint: 'unknown', value: unknown },
          { key: 'spoofed', paint: 'spoofed', value: fakes },
        ]}
      />
    </span>
  );
}

type BotsAnswer = ReportAnswer<'bots'>;
type BotItem = BotsAnswer['items'][number];
