import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { isFiltered } from '../../features/reports/search.ts';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { EmptyState } from '../../parts/states.tsx';
import type { PathKind } from './kinds.ts';

interface NothingReadProps {
  property: Property;
  address: ReportAddress;
  kind: PathKind;
}

/** No bot came; or some came, and none of them read anything of this kind. */
export function NothingRead({ property, address: { search, query }, kind }: NothingReadProps) {
  const everything = useQuery(reportQuery(property.id, 'pages', { ...query, kind: 'all', limit: '1' }));
  if (everything.data === undefined) return null;
  const { totals } = everything.data;
  if (totals.hits === 0)
    return <NoBots propertyId={property.id} filtered={isFiltered(search)} spoofed={totals.spoofed} />;
  return (
    <EmptyState title={`No AI bot read a ${kind === 'file' ? 'file' : 'page'} in this period`}>
      {totals.pages + totals.files === 0 ? (
        <>
          None of their visits was answered with success.{' '}
          <ReportLink to="failures">See the failures</ReportLink>
        </>
      ) : (
        `They read ${kind === 'file' ? 'pages' : 'files'} alone.`
      )}
    </EmptyState>
  );
}
