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
import { PageHost, PageText } from '../../features/reports/PagePath.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { ReportLink, RowOpens } from '../../features/reports/ReportLink.tsx';
import { listQuery } from '../../features/reports/search.ts';
import { type Column, DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { dayLabel } from '../../format/time.ts';
import { visible } from '../../format/visible.ts';
import type { PathKind, UnreadAnswer, UnreadItem } from './kinds.ts';
import { SitemapPanel } from './SitemapPanel.tsx';
import { briefReasonOf, robotsText } from './unread-reasons.ts';

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
  // What is true of every row is said once, above them.
  const hasReasons = items.some(({ reason }) => reason !== 'never_requested');
  // Of all of them, not of those of this page of the list alone.
  const isNever = items.length > 0 && items.length === report.data?.total && !hasReasons && !isOfSome;
  const columns = unreadColumns({ wasRequested: items.some(isRequested), hasReasons });
  return (
    <ReportFrame
      title="Pages"
      about="Pages that AI bots don’t read may be missing from AI answers."
      property={property}
      address={address}
      report={report}
      compares={false}
      offers={['path', 'vendor', 'bot', 'intent', 'host']}
      views={groups}
      choice={((report.data?.files ?? 0) > 0 || kind !== 'page') && kinds}
      actions={<ExportMenu propertyId={property.id} report="pages/unread" query={asked} />}
      outline={{ panels: [{ columns, rows: 12 }] }}
    >
      {(answer) => (
        // A list of paths alone needs half the width.
        <div className="unread-parts" data-bare={items.length > 0 && !hasReasons && !items.some(isRequested)}>
          <section className="card panel unread-pages" aria-label="Unread">
            <header className="panel-head">
              <h2>{headingOf(answer, { kind, isOfSome, isPart, host, isNever })}</h2>
            </header>
            {items.length > 0 && (
              <p className="aside">
                {!hasReasons && NEVER}
                {robotsText(items)} ·{' '}
                <PageAddress host={host ?? property.domain} path="/robots.txt">
                  View robots.txt
                </PageAddress>
              </p>
            )}
            {answer.pages + answer.files > 0 && (
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
        </div>
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
  /** No bot ever requested any of them. */
  isNever: boolean;
}

function headingOf(answer: UnreadAnswer, { kind, isOfSome, isPart, host, isNever }: Asked): string {
  if (answer.sitemap.pages === 0) return 'No sitemap yet';
  const isEmpty = answer.pages + answer.files === 0;
  if (isEmpty && host !== undefined) return `The sitemap has no page of ${visible(host)}`;
  if (isEmpty) return 'The sitemap has no page that matches the filters';
  const of = isPart ? NAMES[kind](answer) : `the ${NAMES[kind](answer)} in your sitemap`;
  const whom = isOfSome ? 'any of these bots' : 'any AI bot';
  const were = answer.total === 1 ? 'was' : 'were';
  return isNever
    ? `${countText(answer.total)} of ${of} ${were} never requested by an AI bot`
    : `${countText(answer.total)} of ${of} ${were} not read by ${whom} in this period`;
}

const NEVER = 'They may be new, or no page links to them: link to them from pages that bots read. ';
const UNREAD = 'Pages that no AI bot read';
const isRequested = ({ last_requested: day }: UnreadItem): boolean => day !== null;

/** Opens what is known of the page, which links to the page itself. */
const UnreadPath = ({ host, path, kind }: UnreadItem) => (
  <>
    <ReportLink to="pages" narrow={{ page: path, host, group: 'bot_page' }} title="Details of this page">
      <PageText host={host} path={path} />
    </ReportLink>
    <RowOpens />
    {kind === 'file' && <span className="tag tag-kind">file</span>}
    <PageHost host={host} path={path} />
  </>
);

interface Known {
  /** Some page was ever requested. */
  wasRequested: boolean;
  /** The pages have other reasons than that they never were. */
  hasReasons: boolean;
}

function unreadColumns({ wasRequested, hasReasons }: Known): Column<UnreadItem>[] {
  return [
    {
      key: 'path',
      label: 'Page',
      kind: 'name',
      sort: 'path',
      rank: 1,
      cell: UnreadPath,
    },
    ...(wasRequested
      ? [
          {
            key: 'last',
            label: 'Last requested',
            kind: 'name' as const,
            rank: 1 as const,
            cell: ({ last_requested: day }: UnreadItem) =>
              day === null ? (
                <span className="quiet">Never</span>
              ) : (
                <span className="no-break">{dayLabel(day, true)}</span>
              ),
          },
        ]
      : []),
    ...(hasReasons
      ? [
          {
            key: 'reason',
            label: 'Likely reason',
            kind: 'name' as const,
            rank: 2 as const,
            wide: true,
            isPlain: true,
            cell: briefReasonOf,
          },
        ]
      : []),
  ];
}
