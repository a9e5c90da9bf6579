import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { DeliveryDetail } from '../../../features/deliveries/api.ts';

/** The page on which what kept it back can be mended; nothing where there is none. */
export function Remedy({ property, item }: { property: Property; item: DeliveryDetail }) {
  const { reason, destination } = item;
  if (reason === 'consent_denied') {
    return (
      <Link
        to="/p/$propertyId/webhooks"
        params={{ propertyId: property.id }}
        search={{ view: 'settings' }}
        className="button button-small"
      >
        Consent settings
      </Link>
    );
  }
  if (destination.deleted) return null;
  const isMapping = reason === 'no_mapping' || reason === 'turned_off';
  return (
    <Link
      to="/p/$propertyId/destinations/$destinationId"
      params={{ propertyId: property.id, destinationId: destination.id }}
      search={isMapping ? { view: 'events' } : {}}
      className="button button-small"
    >
      {isMapping ? 'Event mapping' : 'Open the destination'}
    </Link>
  );
}
