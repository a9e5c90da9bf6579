import { Link } from '@tanstack/react-router';
import type { PageEntry } from '../features/page/pages.tsx';
import { useCarriedOver } from '../features/reports/carried.ts';

interface PageLinkProps {
  page: PageEntry;
  propertyId: string;
  onFollow?: () => void;
}

export function PageLink({ page: { name, label, icon, key, Badge }, propertyId, onFollow }: PageLinkProps) {
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
      {Badge !== undefined && <Badge propertyId={propertyId} />}
      <span className="kbd rail-keys" aria-hidden="true">
        {keys}
      </span>
    </Link>
  );
}
