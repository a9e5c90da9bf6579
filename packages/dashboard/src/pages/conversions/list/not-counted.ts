/** What the list has and the figures above it leave out. */
import type { Conversion } from '../../../features/conversions/api.ts';

/** Why the list is longer than the number of conversions; empty: nothing of it is left out. @param items those that are shown */
export function notCounted(items: readonly Pick<Conversion, 'topic' | 'order'>[]): string {
  const kinds = [
    ...(items.some(({ topic }) => topic === 'refund') ? ['refunds'] : []),
    ...(items.some(({ topic, order }) => topic !== 'refund' && order !== null)
      ? ['orders that were received as another type before']
      : []),
  ];
  return kinds.length === 0 ? '' : `Includes ${kinds.join(' and ')}, which are not counted as conversions.`;
}
