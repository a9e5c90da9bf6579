import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useItsTurn } from '../../features/page/rest.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { countText } from '../../features/reports/figures.ts';
import { listQuery, type ReportChange, type ReportSearch } from '../../features/reports/search.ts';
import { type Column, DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { countryName } from '../../format/names.ts';
import { networkName } from '../../format/networks.ts';
import { ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import type { SourceItem } from './messages.ts';

interface SourcesPanelProps {
  property: Property;
  query: Readonly<Record<string, string>>;
}

/** The origins of spoofed visits by network and country. Its order is not in the address, which holds that of the list above. */
export function SourcesPanel({ property, query }: SourcesPanelProps) {
  const [search, setSearch] = useState<ReportSearch>({});
  const asked = { ...query, ...listQuery(search) };
  const box = useRef<HTMLElement>(null);
  const report = useQuery({ ...reportQuery(property.id, 'trust/sources', asked), enabled: useItsTurn(box) });
  const columns = sourceColumns();
  const change = (next: ReportChange) =>
    setSearch((before) => {
      const merged = { ...before, n: undefined, ...next };
      return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
    });
  return (
    <section ref={box} className="card panel" aria-label="Where spoofed visits come from">
      <header className="panel-head">
        <h2>Where spoofed visits come from</h2>
        <ExportMenu propertyId={property.id} report="trust/sources" query={asked} />
      </header>
      {report.isPending && <Skeleton lines={4} label="Loading sources" />}
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined && (
        <DataTable
          label="Networks"
          labels="above"
          columns={columns}
          answer={report.data}
          keyOf={({ asn, country }) => `${asn} ${country}`}
          sortedBy="hits"
          address={{ search, change }}
          stale={report.isPlaceholderData}
          empty="No spoofed visits in this period."
        />
      )}
    </section>
  );
}

function sourceColumns(): Column<SourceItem>[] {
  return [
    {
      key: 'asn',
      label: 'Network',
      kind: 'name',
      sort: 'asn',
      rank: 1,
      cell: ({ asn, network }) => networkName(asn, network) || <span className="quiet">Unknown network</span>,
    },
    {
      key: 'country',
      label: 'Country',
      kind: 'name',
      sort: 'country',
      rank: 1,
      cell: ({ country }) => countryName(country) || country || <span className="quiet">Unknown</span>,
    },
    {
      key: 'hits',
      label: 'Spoofed visits',
      kind: 'figure',
      sort: 'hits',
      rank: 1,
      cell: ({ asn, country, hits, estimated }) =>
        // No filter finds visits without a country: those of the whole network would be others.
        country === '' ? (
          countText(hits, estimated)
        ) : (
          <VisitsLink narrow={{ verdict: 'spoofed', asn: String(asn), country }}>
            {countText(hits, estimated)}
          </VisitsLink>
        ),
    },
    {
      key: 'claimed',
      label: 'Impersonated bots',
      kind: 'name',
      wide: true,
      rank: 2,
      cell: ({ claimed, bots }) =>
        `${claimed.join(', ')}${bots > claimed.length ? ` and ${bots - claimed.length} more` : ''}`,
    },
    { key: 'paths', label: 'Paths', kind: 'figure', rank: 3, cell: ({ paths }) => countText(paths) },
    {
      key: 'seen',
      label: 'Last seen',
      kind: 'time',
      sort: 'last_seen',
      rank: 2,
      cell: ({ last_seen: at }) => <Time value={at} form="ago" />,
    },
  ];
}
