import { useQuery } from '@tanstack/react-query';
import type { VisitItem } from '../../api/schema.gen.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { placeOf, visitAt } from '../../features/visits/search.ts';

/** The visit that is open: of the page, or, in a link from elsewhere, asked for by its place. */
export function useOpenVisit(
  propertyId: string,
  place: string | undefined,
  items: readonly VisitItem[],
): VisitItem | null {
  const shown = items.find((visit) => placeOf(visit) === place);
  const { placeholderData: _kept, ...asked } = reportQuery(
    propertyId,
    'visits',
    place === undefined ? {} : visitAt(place),
  );
  const { data } = useQuery({
    ...asked,
    refetchInterval: false,
    enabled: place !== undefined && shown === undefined,
  });
  if (place === undefined) return null;
  return shown ?? data?.items.find((visit) => placeOf(visit) === place) ?? null;
}
