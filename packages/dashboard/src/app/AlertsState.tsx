/** How many alerts are open, beside "Alerts" while there are any. */
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';

const SLOW_INTERVAL_MS = 60_000;

export function AlertsState({ propertyId }: { propertyId: string }) {
  const { data } = useQuery({
    queryKey: ['alerts', propertyId, 'count'],
    queryFn: () =>
      call<{ open: number }>(
        'GET',
        `/api/v1/properties/${encodeURIComponent(propertyId)}/alerts?state=open&limit=1`,
      ),
    refetchInterval: SLOW_INTERVAL_MS,
  });
  if (data === undefined || data.open === 0) return null;
  return <span className="rail-note">{data.open} open</span>;
}
