/** The list of deliveries by the conversion that they send. */
import type { Delivery } from '../../../features/deliveries/api.ts';
import { byDestination } from '../../../features/deliveries/order.ts';

export interface Group<Item> {
  readonly conversion: string;
  /** Never empty without `folded`. */
  readonly shown: readonly Item[];
  /** Delivered and skipped ones, and those that a pause holds, which ask nothing of a reader: one line stands for them. */
  readonly folded: readonly Item[];
}

/** Whether a delivery waits for its destination to be resumed. */
export const isHeld = (
  { status, destination }: Pick<Delivery, 'destination' | 'status'>,
  paused: ReadonlySet<string>,
): boolean => (status === 'pending' || status === 'retry') && paused.has(destination.id);

/** A line for a single delivery would say less than the delivery. */
const LEAST_FOLDED = 2;

/**
 * Deliveries of one conversion that are side by side, by the name of their destination: the same order for each conversion.
 * @param folds whether those that came to their end as expected, or wait for a paused destination, are apart
 * @param paused ids of destinations
 */
export function byConversion<Item extends Pick<Delivery, 'conversion' | 'destination' | 'status'>>(
  items: readonly Item[],
  folds: boolean,
  paused: ReadonlySet<string> = new Set(),
): readonly Group<Item>[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group?.[0]?.conversion === item.conversion) group.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => {
    const sorted = group.toSorted(byDestination);
    const settled = sorted.filter(
      (item) => item.status === 'delivered' || item.status === 'skipped' || isHeld(item, paused),
    );
    const isFolded = folds && settled.length >= LEAST_FOLDED;
    return {
      conversion: group[0]?.conversion ?? '',
      shown: isFolded ? sorted.filter((item) => !settled.includes(item)) : sorted,
      folded: isFolded ? settled : [],
    };
  });
}
