import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { PageAddress } from '../../features/property/PageAddress.tsx';
import { REFRESH_MS, reportQuery } from '../../features/reports/api.ts';
import {
  countText,
  filesText,
  pagesText,
  type ReadCounts,
  readText,
} from '../../features/reports/figures.ts';
import { PageHost } from '../../features/reports/PagePath.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { PathText, ReportLink, RowOpens } from '../../features/reports/ReportLink.tsx';
import { listQuery, type ReportChange } from '../../features/reports/search.ts';
import { type Column, DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { Pager } from '../../features/reports/table/Pager.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { dayLabel } from '../../format/time.ts';
import { visible } from '../../format/visible.ts';
import type { PathKind, UnreadAnswer, UnreadItem } from './kinds.ts';
import { SitemapPanel } from './SitemapPanel.tsx';
import { reasonOf, robotsText } from './unread-reasons.ts';

/** The refresh interval while the sitemap is read. */
const WAITING_MS = 1_000;

const NAMES: Readonly<Record<PathKind, (of: ReadCounts) => string>> = {
  page: ({ pages }) => pagesText(pages),
  file: ({ files }) => filesText(files),
  all: readText,
};

interface UnreadViewProps {
  property: Property;
  address: ReportAddress;
  kind: PathKind;
  /** The choice of kinds, where the sitemap has several. */
  kinds: ReactNode;
  /** The choice of groupings. */
  groups: ReactNode;
}

/** Pages of the sitemap that no AI bot read. */
export function UnreadView({ property, address, kind, kinds, groups }: UnreadViewProps) {
  const { group: _, ...list } = listQuery(address.search);
  const asked = { ...address.query, order: 'asc', ...list, kind };
  const report = useQuery({
    ...reportQuery(property.id, 'pages/unread', asked),
    refetchInterval: ({ state: { data } }) => (data?.sitemap.state === 'waiting' ? WAITING_MS : REFRESH_MS),
  });
  const items = report.data?.items ?? [];
  const { bot, vendor, intent, path, host } = address.search;
  // With such a filter, what is listed is a part of the sitemap.
  const isPart = [path, host].some((filter) => filter !== undefined);
  const isOfSome = [bot, vendor, intent].some((filter) => filter !== undefined);
  // What is true of no row needs no column.
  const columns = unreadColumns(items.some(({ last_read: day }) => day !== null));
  const { length: never } = items.filter(({ reason }) => reason === 'never_requested');
  const hasOneReason = never === items.length && never > 0;
  return (
    <ReportFrame
      title="Pages"
      about="Pages in your sitemap that no AI bot read in this period. They may be missing from AI answers."
      property={property}
      address={address}
      report={report}
      compares={false}
      offers={['path', 'vendor', 'bot', 'intent', 'host']}
      choice={((report.data?.files ?? 0) > 0 || kind !== 'page') && kinds}
      actions={<ExportMenu propertyId={property.id} report="pages/unread" query={asked} />}
      outline={{ panels: [{ columns, rows: 12 }] }}
    >
      {(answer) => (
        <>
          <section className="card panel unread-pages" aria-label="Unread">
            <header className="panel-head">
              <h2>{headingOf(answer, { kind, isOfSome, isPart, host })}</h2>
              {groups}
            </header>
            {items.length > 0 && (
              <p className="aside">
                {hasOneReason && NEVER}
                <PageAddress host={host ?? property.domain} path="/robots.txt">
                  {robotsText(items)}
                </PageAddress>
              </p>
            )}
            {answer.pages + answer.files > 0 && hasOneReason && (
              <UnreadPaths answer={answer} stale={report.isPlaceholderData} onPage={address.change} />
            )}
            {answer.pages + answer.files > 0 && !hasOneReason && (
              <DataTable
                label={UNREAD}
                columns={columns}
                answer={answer}
                keyOf={({ host, path }) => `${host}${path}`}
                sortedBy="path"
                ordered="asc"
                address={address}
                stale={report.isPlaceholderData}
                empty="Every entry was read by at least one AI bot."
              />
            )}
          </section>
          <SitemapPanel property={property} sitemap={answer.sitemap} />
        </>
      )}
    </ReportFrame>
  );
}

interface Asked {
  kind: PathKind;
  /** The filters leave some of the bots. */
  isOfSome: boolean;
  /** The filters leave a part of the sitemap. */
  isPart: boolean;
  host: string | undefined;
}

function headingOf(answer: UnreadAnswer, { kind, isOfSome, isPart, host }: Asked): string {
  if (answer.sitemap.pages === 0) return 'No sitemap yet';
  const isEmpty = answer.pages + answer.files === 0;
  if (isEmpty && host !== undefined) return `The sitemap has no page of ${visible(host)}`;
  if (isEmpty) return 'The sitemap has no page that matches the filters';
  const of = isPart ? NAMES[kind](answer) : `the ${NAMES[kind](answer)} in your sitemap`;
  const whom = isOfSome ? 'any of these bots' : 'any AI bot';
  return `${countText(answer.total)} of ${of} ${answer.total === 1 ? 'was' : 'were'} not read by ${whom}`;
}

/** Said once, where it is true of every row. */
const NEVER = 'None of them was ever requested: usually they are new, or no page links to them. ';

interface UnreadPathsProps {
  answer: UnreadAnswer;
  stale: boolean;
  onPage: (change: ReportChange) => void;
}

/** The pages alone, side by side, where all have the same reason. */
function UnreadPaths({ answer, stale, onPage }: UnreadPathsProps) {
  return (
    <div className="report-list" data-stale={stale} aria-busy={stale}>
      <ul className="unread-paths" aria-label={UNREAD}>
        {answer.items.map((item) => (
          <li key={`${item.host}${item.path}`}>
            <UnreadPath {...item} />
          </li>
        ))}
      </ul>
      <Pager label={UNREAD} answer={answer} onPage={(n) => onPage({ n: n === 1 ? undefined : n })} />
    </div>
  );
}

const UNREAD = 'Pages that no AI bot read';

/** Opens what is known of the page, which links to the page itself. */
const UnreadPath = ({ host, path, kind }: UnreadItem) => (
  <>
    <ReportLink to="pages" narrow={{ page: path, host, group: 'bot_page' }} title="Details of this page">
      <PathText path={path} />
    </ReportLink>
    <RowOpens />
    {kind === 'file' && <span className="tag tag-kind">file</span>}
    <PageHost host={host} path={path} />
  </>
);

/** @param wasRead whether some page was read before the period */
function unreadColumns(wasRead: boolean): Column<UnreadItem>[] {
  return [
    {
      key: 'path',
      label: 'Page',
      kind: 'name',
      sort: 'path',
      rank: 1,
      cell: UnreadPath,
    },
    ...(wasRead
      ? [
          {
            key: 'last',
            label: 'Last read',
            kind: 'time' as const,
            rank: 1 as const,
            cell: ({ last_read: day }: UnreadItem) =>
              day === null ? <span className="quiet">Never read</span> : dayLabel(day, true),
          },
        ]
      : []),
    {
      key: 'reason',
      label: 'Likely reason',
      kind: 'name',
      rank: 2,
      wide: true,
      isPlain: true,
      cell: reasonOf,
    },
  ];
}
