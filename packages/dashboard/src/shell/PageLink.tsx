import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries } from '../api/queries.ts';
import { useOpenAlerts } from '../features/page/PageHead.tsx';
import type { PageEntry } from '../features/page/pages.tsx';
import { useCarriedOver } from '../features/reports/carried.ts';

interface PageLinkProps {
  page: PageEntry;
  propertyId: string;
  onFollow?: () => void;
}

export function PageLink({ page: { name, label, icon, key }, propertyId, onFollow }: PageLinkProps) {
  const carriedOver = useCarriedOver();
  const keys = `G ${key.toUpperCase()}`;
  return (
    <Link
      to={`/p/$propertyId/${name}`}
      params={{ propertyId }}
      search={carriedOver(name)}
      activeOptions={{ includeSearch: false }}
      className="rail-link"
      aria-keyshortcuts={keys}
      {...(onFollow === undefined ? {} : { onClick: onFollow })}
    >
      {icon}
      <span>{label}</span>
      {name === 'setup' && <SetupState propertyId={propertyId} />}
      {name === 'alerts' && <AlertsState propertyId={propertyId} />}
      <span className="kbd rail-keys" aria-hidden="true">
        {keys}
      </span>
    </Link>
  );
}

/** The number of open alerts, beside "Alerts". */
function AlertsState({ propertyId }: { propertyId: string }) {
  const open = useOpenAlerts(propertyId);
  return open === 0 ? null : <span className="rail-note">{open} open</span>;
}

/** A note beside "Set-up" while no traffic arrives. */
const SLOW_INTERVAL_MS = 15_000;

function SetupState({ propertyId }: { propertyId: string }) {
  const { data } = useQuery({ ...queries.setup(propertyId), refetchInterval: SLOW_INTERVAL_MS });
  if (data === undefined || data.state === 'active') return null;
  return <span className="rail-note">{data.state === 'waiting' ? 'waiting' : 'quiet'}</span>;
}
