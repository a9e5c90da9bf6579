import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { counted } from '../../../format/names.ts';
import { IconArrow, IconInfo } from '../../../parts/icons.tsx';
import { heldBy } from '../model/held.ts';
import type { DeliverySearch } from '../search.ts';

const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });

interface HeldNoticeProps {
  property: Property;
  search: DeliverySearch;
  destinations: readonly Destination[];
}

/** How many deliveries wait for paused destinations, and where those are resumed; empty while none waits. */
export function HeldNotice({ property, search, destinations }: HeldNoticeProps) {
  const held = heldBy(destinations, search);
  const [first] = held;
  if (first === undefined) return null;
  const waiting = held.reduce((sum, { health }) => sum + health.waiting, 0);
  const params = { propertyId: property.id };
  return (
    <div className="notice held-notice">
      <IconInfo />
      <p className="break">
        {NAMES.format(held.map(({ name }) => name))} {held.length === 1 ? 'is' : 'are'} paused:{' '}
        {counted(waiting, 'delivery waits', 'deliveries wait')}.
      </p>
      {held.length === 1 ? (
        <Link
          to="/p/$propertyId/destinations/$destinationId"
          params={{ ...params, destinationId: first.id }}
          className="button button-small"
        >
          Destination
          <IconArrow />
        </Link>
      ) : (
        <Link to="/p/$propertyId/destinations" params={params} className="button button-small">
          Destinations
          <IconArrow />
        </Link>
      )}
    </div>
  );
}
