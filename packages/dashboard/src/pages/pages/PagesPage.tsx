import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { PageAddress } from '../../features/property/PageAddress.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { BackLink } from '../../features/reports/BackLink.tsx';
import { IntentKey } from '../../features/reports/IntentKey.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Spoofed } from '../../features/reports/Spoofed.tsx';
import { listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { type ReportAddress, useReportSearch } from '../../features/reports/useReportSearch.ts';
import { useShared } from '../../features/session/shared.ts';
import { counted } from '../../format/names.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { Segments } from '../../parts/Switch.tsx';
import { pageColumns } from './columns.tsx';
import { Elsewhere, useElsewhere } from './Elsewhere.tsx';
import { kindInAddress, kindOf, PATH_KINDS, type PathKind } from './kinds.ts';
import { PageView } from './PageView.tsx';
import { FolderTrail, NothingRead, ReadHeading } from './ReadHeading.tsx';
import { UnreadView } from './UnreadView.tsx';
import './pages.css';

const GROUPINGS = [
  ['page', 'List'],
  ['folder', 'Folders'],
  ['bot_page', 'By bot'],
  ['unread', 'Unread'],
] as const;
/** The spoofed visits of a list: of pages or files, those to paths that were read. */
const SPOOFED_OF = {
  page: ['visit to pages', 'visits to pages'],
  file: ['visit to files', 'visits to files'],
  all: ['visit', 'visits'],
} as const;
type Group = (typeof GROUPINGS)[number][0];
const ABOUT = {
  page: 'Pages that AI bots read, and pages they don’t. Open a path to see its bots, its failures and the people who landed on it.',
  folder: 'What AI bots read, by folder. Open a folder to see what is in it, or a page to see its bots.',
} as const;

export function PagesPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, change } = address;
  const shared = useShared();
  const isOnePage = search.page !== undefined;
  const asked = GROUPINGS.find(([name]) => name === search.group)?.[0] ?? 'page';
  // Of one page there is nothing to list but its bots.
  const group = isOnePage ? 'bot_page' : asked;
  const kind = kindOf(search);
  const kinds = !isOnePage && (
    <select
      className="input select filter"
      aria-label="Show"
      data-set={kind !== 'page'}
      value={kind}
      onChange={({ target: { value } }) => change({ kind: kindInAddress(search, kindOf({ kind: value })) })}
    >
      {PATH_KINDS.map(([one, name]) => (
        <option key={one} value={one}>
          Show: {name.toLowerCase()}
        </option>
      ))}
    </select>
  );
  const groups = !isOnePage && (
    <div className="list-views">
      <Segments
        legend="Group by"
        value={group}
        options={shared === null ? GROUPINGS : GROUPINGS.filter(([name]) => name !== 'unread')}
        onChoose={(chosen: Group) =>
          change({
            group: chosen === 'page' ? undefined : chosen,
            prefix: undefined,
            sort: undefined,
            order: undefined,
          })
        }
      />
    </div>
  );
  return group === 'unread' && shared === null ? (
    <UnreadView {...{ property, address, kind, kinds, groups }} />
  ) : (
    <ReadView {...{ property, address, kind, kinds, groups }} group={group === 'unread' ? 'page' : group} />
  );
}

interface ReadViewProps {
  property: Property;
  address: ReportAddress;
  group: Exclude<Group, 'unread'>;
  kind: PathKind;
  /** The choice of kinds, among the filters. */
  kinds: ReactNode;
  /** The choice of groupings, above the filters. */
  groups: ReactNode;
}

/** A path of the property's own domain stands for itself. */
function titleOf({ page = '', host }: ReportAddress['search'], { domain }: Property): string {
  return `${host === undefined || host === domain ? '' : visible(host)}${readablePath(page)}`;
}

function ReadView({ property, address, group, kind, kinds, groups }: ReadViewProps) {
  const { search, change } = address;
  const asked = { ...address.compared, ...listQuery(search), group, kind };
  const report = useQuery(reportQuery(property.id, 'pages', asked));
  const isOnePage = search.page !== undefined;
  // What PageView shows: asked for together, and not after the list.
  useQuery({ ...reportQuery(property.id, 'overview', address.compared), enabled: isOnePage });
  const elsewhere = useElsewhere(property, address, isOnePage);
  const hadBefore = (report.data?.totals.previous?.hits ?? 0) > 0;
  const all = pageColumns(
    ...([group, kind, hadBefore] as const),
    (prefix) => change({ prefix }),
    report.data?.population === 'all',
  );
  // Its path is the title of the page; without a host, the same path of several is listed.
  const columns = isOnePage && search.host !== undefined ? all.filter(({ key }) => key !== 'page') : all;
  return (
    <ReportFrame
      title={isOnePage ? titleOf(search, property) : 'Pages'}
      back={
        isOnePage && (
          <BackLink to="pages" narrow={{ host: undefined }}>
            Pages
          </BackLink>
        )
      }
      about={isOnePage ? undefined : ABOUT[group === 'folder' ? 'folder' : 'page']}
      link={
        isOnePage &&
        search.host !== undefined && (
          <PageAddress host={search.host} path={search.page ?? ''}>
            Open page
          </PageAddress>
        )
      }
      folds={!isOnePage}
      views={groups}
      choice={kinds}
      isPath={isOnePage}
      byHour={isOnePage}
      property={property}
      address={address}
      report={report}
      offers={
        isOnePage
          ? ['vendor', 'bot', 'intent', 'verified', 'country']
          : ['path', 'vendor', 'bot', 'intent', 'verified', 'host', 'country']
      }
      held={isOnePage ? ['page', 'host'] : []}
      actions={<ExportMenu propertyId={property.id} report="pages" query={asked} />}
      outline={{ panels: [{ columns, rows: 12 }] }}
    >
      {(answer) => {
        const list = (
          <section className="card panel pages-list" aria-label="Pages">
            <header className="panel-head">
              {isOnePage ? (
                <h2>Visited by {counted(answer.totals.bots, 'bot')}</h2>
              ) : (
                <ReadHeading totals={answer.totals} kind={kind}>
                  <Elsewhere {...elsewhere} />
                </ReadHeading>
              )}
              {group !== 'bot_page' && <IntentKey />}
            </header>
            {/* Those of one page are said below its figures. */}
            {!isOnePage && (
              <Spoofed
                answer={answer}
                spoofed={answer.totals.spoofed}
                estimated={answer.totals.estimates['spoofed']}
                of={SPOOFED_OF[kind]}
                narrow={kind === 'all' ? {} : { kind }}
                about={kind === 'all' ? undefined : 'that are spoofed, also to paths that were never read'}
              />
            )}
            {group === 'folder' && (
              <FolderTrail prefix={search.prefix ?? '/'} onOpen={(prefix) => change({ prefix })} />
            )}
            {answer.totals.hits === 0 && answer.items.length === 0 ? (
              <NothingRead property={property} address={address} kind={kind} />
            ) : (
              <DataTable
                label="Pages"
                columns={columns}
                answer={answer}
                keyOf={({ host, path, folder, bot }) => `${host ?? ''} ${path ?? folder ?? ''} ${bot ?? ''}`}
                sortedBy="hits"
                address={address}
                stale={report.isPlaceholderData}
                phoneKey={group !== 'bot_page' && <IntentKey />}
                empty="No reads in this folder."
              />
            )}
          </section>
        );
        return isOnePage ? (
          <PageView property={property} address={address}>
            {list}
          </PageView>
        ) : (
          list
        );
      }}
    </ReportFrame>
  );
}
