import type { ReportAnswer } from '../../features/reports/api.ts';
import { countText, failsOften } from '../../features/reports/figures.ts';
import { PagePath } from '../../features/reports/PagePath.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { Delta, FROM_NONE } from '../../features/reports/Stat.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { Time } from '../../parts/Time.tsx';

export function referralColumns(group: 'page' | 'engine', hadBefore: boolean): Column<ReferralItem>[] {
  const narrowOf = ({ engine, host, path }: Pick<ReferralItem, 'engine' | 'host' | 'path'>): VisitChange => ({
    class: 'ai_referral',
    engine,
    ...(group === 'page' ? { host, page: path } : {}),
  });
  const landed: Column<ReferralItem> = {
    key: 'page',
    label: 'Landing page',
    kind: 'name',
    sort: 'path',
    rank: 1,
    cell: ({ path, host }) => (
      <>
        <ReportLink to="pages" narrow={{ page: path, host, group: 'bot_page' }} title="Show this page">
          <PagePath host={host} path={path} />
        </ReportLink>
      </>
    ),
  };
  return [
    ...(group === 'page' ? [landed] : []),
    {
      key: 'engine',
      label: 'Engine',
      term: 'engine',
      kind: 'name',
      sort: 'engine',
      rank: 1,
      cell: ({ engine }) => engine,
    },
    {
      key: 'visits',
      label: 'Visits',
      term: 'referral',
      kind: 'figure',
      sort: 'visits',
      rank: 1,
      cell: (item) => (
        <VisitsLink narrow={narrowOf(item)}>{countText(item.visits, item.estimated)}</VisitsLink>
      ),
    },
    {
      key: 'change',
      label: 'Change',
      kind: 'figure',
      sort: 'change',
      rank: 2,
      cell: (item) => (
        <Delta
          of={item}
          more="good"
          none={hadBefore && item.previous?.visits === 0 ? FROM_NONE : undefined}
          isRow
        />
      ),
    },
    ...(group === 'engine'
      ? [
          {
            key: 'pages',
            label: 'Landing pages',
            kind: 'figure' as const,
            rank: 2 as const,
            cell: ({ pages }: ReferralItem) => countText(pages),
          },
        ]
      : []),
    {
      key: 'signal',
      label: 'Recognised by',
      kind: 'name',
      rank: 3,
      cell: ({ by_signal: { referrer, app, utm_source: tag }, estimates: of }) =>
        [
          referrer > 0 ? `${countText(referrer, of['by_signal.referrer'])} referrer` : '',
          app > 0 ? `${countText(app, of['by_signal.app'])} app` : '',
          tag > 0 ? `${countText(tag, of['by_signal.utm_source'])} tag` : '',
        ]
          .filter((part) => part !== '')
          .join(' · '),
    },
    {
      key: 'failed',
      label: 'Errors',
      kind: 'figure',
      rank: 3,
      cell: ({ failed, estimates, ...item }) =>
        failed === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <span className={failsOften(failed, item.visits) ? 'text-bad' : undefined}>
            <VisitsLink narrow={{ ...narrowOf(item), status: 'error' }}>
              {countText(failed, estimates['failed'])}
            </VisitsLink>
          </span>
        ),
    },
    {
      key: 'seen',
      label: 'Last visit',
      kind: 'time',
      sort: 'last_seen',
      rank: 2,
      cell: ({ last_seen: at }) => <Time value={at} form="ago" />,
    },
  ];
}

export type ReferralsAnswer = ReportAnswer<'referrals'>;
type ReferralItem = ReferralsAnswer['items'][number];
type FunnelAnswer = ReportAnswer<'funnel'>;
export type FunnelItem = FunnelAnswer['items'][number];
