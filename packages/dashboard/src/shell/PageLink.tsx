import { Link } from '@tanstack/react-router';
import type { PageEntry } from '../features/page/pages.tsx';
import { useCarriedOver } from '../features/reports/useCarriedOver.ts';
import { AlertsState } from './AlertsState.tsx';
import { SetupState } from './SetupState.tsx';

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
