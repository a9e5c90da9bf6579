import type { ReportAnswer } from '../../features/reports/api.ts';
import { countText, shareText } from '../../features/reports/figures.ts';
import { PathText, ReportLink } from '../../features/reports/ReportLink.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import { intentName } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { Time } from '../../parts/Time.tsx';

const bot: Column<FailureItem> = {
  key: 'bot',
  label: 'Bot',
  kind: 'name',
  sort: 'bot',
  rank: 1,
  cell: ({ bot: name, vendor, intent }) => (
    <>
      <ReportLink to="failures" narrow={{ bot: name, group: 'bot_page' }}>
        {name}
      </ReportLink>
      <span className="cell-detail">
        {[vendor, intentName(intent)].filter((part) => part !== '').join(' · ')}
      </span>
    </>
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
      <span className="cell-detail mono">{visible(host)}</span>
    </>
  ),
};

export function failureColumns(group: 'page' | 'bot' | 'bot_page'): Column<FailureItem>[] {
  return [
    ...(group === 'bot' ? [bot] : group === 'page' ? [page] : [page, bot]),
    {
      key: 'statuses',
      label: 'Status',
      kind: 'name',
      rank: 2,
      cell: ({ statuses, estimates }) => (
        <span className="status-marks">
          {statuses.map(({ status, hits }) => (
            <span
              key={status}
              className="fix-status number"
              data-status={Math.floor(status / 100)}
              title={`${countText(hits, estimates[`statuses.${status}`])} times`}
            >
              {status}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'failures',
      label: 'Failed',
      kind: 'figure',
      sort: 'failures',
      rank: 1,
      cell: ({ failures, estimated }) => countText(failures, estimated),
    },
    {
      key: 'share',
      label: 'Failure rate',
      kind: 'figure',
      sort: 'failing_share',
      rank: 2,
      cell: ({ failing_share: share }) => shareText(share),
    },
    {
      key: 'people',
      label: 'On demand',
      kind: 'figure',
      rank: 3,
      cell: ({ on_demand: count, estimates }) =>
        count === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <span title="A person was waiting">{countText(count, estimates['on_demand'])}</span>
        ),
    },
    ...(group === 'page'
      ? [
          {
            key: 'bots',
            label: 'Bots',
            kind: 'figure' as const,
            rank: 3 as const,
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
