/** A word beside "Set-up" while nothing, or nothing any more, arrives. */
import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';

const SLOW_INTERVAL_MS = 15_000;

export function SetupState({ propertyId }: { propertyId: string }) {
  const { data } = useQuery({ ...queries.setup(propertyId), refetchInterval: SLOW_INTERVAL_MS });
  if (data === undefined || data.state === 'active') return null;
  return <span className="rail-note">{data.state === 'waiting' ? 'waiting' : 'quiet'}</span>;
}
