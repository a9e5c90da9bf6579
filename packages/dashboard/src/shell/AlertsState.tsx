import { useOpenAlerts } from '../features/page/useOpenAlerts.ts';

/** How many alerts are open, beside "Alerts" while there are any. */
export function AlertsState({ propertyId }: { propertyId: string }) {
  const open = useOpenAlerts(propertyId);
  return open === 0 ? null : <span className="rail-note">{open} open</span>;
}
