import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { PAGES } from '../../../features/page/pages.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { targetOf } from '../link.ts';
import type { Alert } from '../types.ts';

/** Into the report that an alert is about, at the days that it is about. */
export function AlertLink({ property, alert }: { property: Property; alert: Alert }) {
  const target = targetOf(alert.link);
  if (target === null) return null;
  const about = <span className="visually-hidden"> about: {alert.title}</span>;
  const common = { className: 'quiet-link alert-link' };
  if (target.to === 'destination')
    return (
      <Link
        {...common}
        to="/p/$propertyId/destinations/$destinationId"
        params={{ propertyId: property.id, destinationId: target.destinationId }}
      >
        Open the destination{about} <IconArrow />
      </Link>
    );
  return (
    <Link
      {...common}
      to={`/p/$propertyId/${target.page}`}
      params={{ propertyId: property.id }}
      search={target.search}
    >
      Open {PAGES.find(({ name }) => name === target.page)?.label}
      {about} <IconArrow />
    </Link>
  );
}
