import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { useProperty } from '../../app/useProperty.ts';
import { Segments } from '../../parts/Segments.tsx';
import { reportQuery } from '../common/api.ts';
import { countText } from '../common/figures.ts';
import { NoBots } from '../common/NoBots.tsx';
import { ReportFrame } from '../common/ReportFrame.tsx';
import { Spoofed } from '../common/Spoofed.tsx';
import { isFiltered, listQuery } from '../common/search.ts';
import { type ReportAddress, useReportSearch } from '../common/useReportSearch.ts';
import { DataTable } from '../table/DataTable.tsx';
import { ExportMenu } from '../table/ExportMenu.tsx';
import { pageColumns } from './columns.tsx';
import { FolderTrail } from './FolderTrail.tsx';
import type { PagesAnswer } from './types.ts';
import { UnreadView } from './UnreadView.tsx';

export const PAGE_GROUPS = [
  ['page', 'Pages'],
  ['folder', 'Folders'],
  ['bot_page', 'By bot'],
  ['unread', 'Never read'],
] as const;
type Group = (typeof PAGE_GROUPS)[number][0];

export function PagesPage() {
  const property = useProperty();
  return property === null ? null : <View key={property.id} property={property} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const group = PAGE_GROUPS.find(([name]) => name === address.search.group)?.[0] ?? 'page';
  const choose = (
    <Segments
      legend="Listed"
      value={group}
      options={PAGE_GROUPS}
      onChoose={(chosen: Group) =>
        address.change({
          group: chosen === 'page' ? undefined : chosen,
          prefix: undefined,
          sort: undefined,
          order: undefined,
        })
      }
    />
  );
  return group === 'unread' ? (
    <UnreadView property={property} address={address} choose={choose} />
  ) : (
    <ReadView property={property} address={address} group={group} choose={choose} />
  );
}

interface ReadViewProps {
  property: Property;
  address: ReportAddress;
  group: Exclude<Group, 'unread'>;
  choose: React.ReactNode;
}

function ReadView({ property, address, group, choose }: ReadViewProps) {
  const { search, query, change } = address;
  const { kind: _, ...list } = listQuery(search);
  const asked = { ...query, ...list, group };
  const report = useQuery(reportQuery<PagesAnswer>(property.id, 'pages', { ...asked, compare: 'previous' }));
  const hadBefore = (report.data?.totals.previous?.hits ?? 0) > 0;
  const columns = pageColumns(group, hadBefore, (prefix) => change({ prefix }));
  return (
    <ReportFrame
      title="Pages"
      about="What AI bots read here, page by page, and what none of them reads."
      property={property}
      address={address}
      report={report}
      offers={['path', 'vendor', 'bot', 'intent', 'verified', 'host', 'country']}
      actions={
        <ExportMenu propertyId={property.id} report="pages" query={{ ...asked, compare: 'previous' }} />
      }
    >
      {(answer) => (
        <section className="card panel" aria-label="Pages">
          <header className="panel-head">
            <h2>
              {countText(answer.totals.pages)} {answer.totals.pages === 1 ? 'page' : 'pages'} read by{' '}
              {answer.totals.bots} {answer.totals.bots === 1 ? 'bot' : 'bots'}
            </h2>
            {choose}
          </header>
          <Spoofed answer={answer} spoofed={answer.totals.spoofed} />
          {group === 'folder' && (
            <FolderTrail prefix={search.prefix ?? '/'} onOpen={(prefix) => change({ prefix })} />
          )}
          {answer.totals.hits === 0 && answer.items.length === 0 ? (
            <NoBots propertyId={property.id} filtered={isFiltered(search)} spoofed={answer.totals.spoofed} />
          ) : (
            <DataTable
              label="Pages"
              columns={columns}
              answer={answer}
              keyOf={({ host, path, folder, bot }) => `${host ?? ''} ${path ?? folder ?? ''} ${bot ?? ''}`}
              sortedBy="hits"
              address={address}
              stale={report.isPlaceholderData}
              empty="Nothing below this folder was read."
            />
          )}
        </section>
      )}
    </ReportFrame>
  );
}
