/** Which deliveries are counted, and in which order destinations are listed. */
import type { Counts, DestinationTotals } from '../../../features/deliveries/api.ts';
import type { Sums } from '../../../features/deliveries/sums.ts';
import { counted } from '../../../format/names.ts';
import type { DeliverySearch } from '../search.ts';

/** The most frequent first. */
export function reasonsOf(all: readonly Counts[]): readonly (readonly [reason: string, count: number])[] {
  const sums = new Map<string, number>();
  for (const { skipped } of all) {
    for (const [reason, count] of Object.entries(skipped)) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  return [...sums].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}

/** The sums of one destination or platform, or of all. */
export function chosenTotals(
  all: readonly DestinationTotals[],
  { destination, platform }: { destination?: string; platform?: string },
): readonly DestinationTotals[] {
  return all.filter(
    (one) =>
      (destination === undefined || one.destination === destination) &&
      (platform === undefined || one.platform === platform),
  );
}

/** How many deliveries the filters select, as far as the report counts them; null: it doesn't. */
export function listedOf(
  sums: Sums,
  { status, topic, reason, q }: Pick<DeliverySearch, 'status' | 'topic' | 'reason' | 'q'>,
): number | null {
  if (topic !== undefined || reason !== undefined || q !== undefined) return null;
  if (status === undefined) return sums.created;
  if (status === 'accepted_async') return sums.accepted;
  return status === 'pending' || status === 'sending' || status === 'retry' ? null : sums[status];
}

/** `Latest 50 of 715`. The report may be older than the list, and then counts fewer. @param all null: unknown */
export function shownOf(
  shown: number,
  { hasNextPage }: { readonly hasNextPage: boolean },
  all: number | null,
): string {
  if (!hasNextPage) return counted(shown, 'delivery', 'deliveries');
  const latest = `Latest ${shown.toLocaleString('en')}`;
  return all === null || all <= shown ? latest : `${latest} of ${all.toLocaleString('en')}`;
}

/** The lowest rate first, since it needs attention; of equal ones the largest. Those without a finished delivery are last. */
export function lowestFirst(all: readonly DestinationTotals[]): readonly DestinationTotals[] {
  const rated = ({ rate }: DestinationTotals): number =>
    rate === null ? Number.POSITIVE_INFINITY : Number(rate);
  return all.toSorted((a, b) => (rated(a) === rated(b) ? b.created - a.created : rated(a) - rated(b)));
}

/** The conversions that could be sent. */
export const eligibleOf = ({ created, skipped }: Sums): number => created - skipped;

/** Those that the rate is of: what still waits has not failed. */
export const finishedOf = ({ delivered, dead, unknown }: Pick<Sums, 'delivered' | 'dead' | 'unknown'>) =>
  delivered + dead + unknown;
