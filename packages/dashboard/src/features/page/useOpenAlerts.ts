import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

const SLOW_INTERVAL_MS = 60_000;

/** How many alerts of a property are open; 0 until it is known. @param propertyId null: there is nothing to ask about */
export function useOpenAlerts(propertyId: string | null): number {
  const { data } = useQuery({
    queryKey: ['alerts', propertyId, 'count'],
    queryFn: ({ signal }) =>
      get('/api/v1/properties/{id}/alerts', {
        params: { id: propertyId ?? '' },
        query: { state: 'open', limit: 1 },
        signal,
      }),
    refetchInterval: SLOW_INTERVAL_MS,
    enabled: propertyId !== null,
  });
  return data?.open ?? 0;
}
