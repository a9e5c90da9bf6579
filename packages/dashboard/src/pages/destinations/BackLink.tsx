import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';

/** Up from a destination to all of them. */
export function BackLink({ property }: { property: Property }) {
  return (
    <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }} className="back-link">
      <span aria-hidden="true">←</span> Destinations
    </Link>
  );
}
