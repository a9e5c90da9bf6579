import { MINUTE_MS } from '@ghostlight/core/time';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useShared } from '../session/shared.ts';

const SLOW_INTERVAL_MS = MINUTE_MS;

/** The number of open alerts of a property; 0 until it is known. @param propertyId null: no property */
export function useOpenAlerts(propertyId: string | null): number {
  const shared = useShared();
  const { data } = useQuery({
    queryKey: ['alerts', propertyId, 'count'],
    queryFn: ({ signal }) =>
      get('/api/v1/properties/{id}/alerts', {
        params: { id: propertyId ?? '' },
        query: { state: 'open', limit: 1 },
        signal,
      }),
    refetchInterval: SLOW_INTERVAL_MS,
    enabled: propertyId !== null && shared === null,
  });
  return data?.open ?? 0;
}
