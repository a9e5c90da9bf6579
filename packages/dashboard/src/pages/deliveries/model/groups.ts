/** The list of deliveries by the conversion that they send. */
import type { Delivery } from '../../../features/deliveries/api.ts';
import { byDestination } from '../../../features/deliveries/order.ts';

interface Listed<Item> {
  readonly item: Item;
  /** At the first delivery of a conversion: how many of it are below each other. 0: it sends the same as the one before. */
  readonly shared: number;
}

/** Deliveries of one conversion that are side by side, by the name of their destination: the same order for each conversion. */
export function byConversion<Item extends Pick<Delivery, 'conversion' | 'destination'>>(
  items: readonly Item[],
): readonly Listed<Item>[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group?.[0]?.conversion === item.conversion) group.push(item);
    else groups.push([item]);
  }
  return groups.flatMap((group) =>
    group.sort(byDestination).map((item, index) => ({ item, shared: index > 0 ? 0 : group.length })),
  );
}
