/** The list of deliveries by the conversion that they send. */
import type { Delivery } from '../../../features/deliveries/api.ts';
import { byDestination } from '../../../features/deliveries/order.ts';

export interface Group<Item> {
  readonly conversion: string;
  /** Never empty without `folded`. */
  readonly shown: readonly Item[];
  /** Delivered and skipped ones, which ask nothing of a reader: one line stands for them. */
  readonly folded: readonly Item[];
}

/** A line for a single delivery would say less than the delivery. */
const LEAST_FOLDED = 2;

/**
 * Deliveries of one conversion that are side by side, by the name of their destination: the same order for each conversion.
 * @param folds whether those that came to their end as expected are apart
 */
export function byConversion<Item extends Pick<Delivery, 'conversion' | 'destination' | 'status'>>(
  items: readonly Item[],
  folds: boolean,
): readonly Group<Item>[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group?.[0]?.conversion === item.conversion) group.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => {
    const sorted = group.toSorted(byDestination);
    const settled = sorted.filter(({ status }) => status === 'delivered' || status === 'skipped');
    const isFolded = folds && settled.length >= LEAST_FOLDED;
    return {
      conversion: group[0]?.conversion ?? '',
      shown: isFolded ? sorted.filter((item) => !settled.includes(item)) : sorted,
      folded: isFolded ? settled : [],
    };
  });
}
