/** Notes beside the names of pages. */
import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useOpenAlerts } from './open-alerts.ts';
import { useAtRest } from './rest.ts';

/** The number of open alerts, beside "Alerts". */
export function OpenAlerts({ propertyId }: { propertyId: string }) {
  const open = useOpenAlerts(propertyId);
  return open === 0 ? null : <span className="rail-note">{open} open</span>;
}

const SLOW_INTERVAL_MS = 15_000;
/** While visits arrive, little changes. */
const RARE_INTERVAL_MS = 60_000;

/** A note beside "Setup" while no traffic arrives. */
export function SetupState({ propertyId }: { propertyId: string }) {
  const { data } = useQuery({
    ...queries.setup(propertyId),
    refetchInterval: ({ state }) => (state.data?.state === 'active' ? RARE_INTERVAL_MS : SLOW_INTERVAL_MS),
    enabled: useAtRest(),
  });
  if (data === undefined || data.state === 'active') return null;
  return <span className="rail-note">{data.state === 'waiting' ? 'waiting' : 'quiet'}</span>;
}
