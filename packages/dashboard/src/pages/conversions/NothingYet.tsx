import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { EmptyState } from '../../parts/states.tsx';

/** Empty, or not enough to draw: what has to be there first. */
export function NothingYet({ property, days }: { property: Property; days: number }) {
  const params = { propertyId: property.id };
  return (
    <EmptyState
      title={`No conversion in these ${days} days`}
      action={
        <span className="empty-actions">
          <Link to="/p/$propertyId/webhooks" params={params} className="button button-primary">
            Open Webhooks
          </Link>
          <Link to="/p/$propertyId/sdk" params={params} className="button">
            Set up the SDK
          </Link>
        </span>
      }
    >
      The browser SDK notes how people arrive at {property.domain}; your server posts what they buy or sign up
      for. Here the two come together.
    </EmptyState>
  );
}
