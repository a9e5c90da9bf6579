import type { Destination } from '../../../features/destinations/api.ts';
import type { DeliverySearch } from '../search.ts';

type Held = Pick<Destination, 'id' | 'name' | 'platform' | 'state'> & {
  readonly health: Pick<Destination['health'], 'waiting'>;
};

/** States of a delivery that a pause holds. */
const HELD: ReadonlySet<DeliverySearch['status']> = new Set([undefined, 'waiting', 'pending', 'retry']);

/** The paused destinations with deliveries that wait, as far as the filters list such deliveries. */
export const heldBy = <Item extends Held>(
  destinations: readonly Item[],
  { destination, platform, status }: Pick<DeliverySearch, 'destination' | 'platform' | 'status'>,
): readonly Item[] =>
  HELD.has(status)
    ? destinations.filter(
        (one) =>
          one.state === 'paused' &&
          one.health.waiting > 0 &&
          (destination === undefined || one.id === destination) &&
          (platform === undefined || one.platform === platform),
      )
    : [];
