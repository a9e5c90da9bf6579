/** Which deliveries are counted, and in which order destinations are listed. */
import type { Counts, DestinationTotals } from '../../../features/deliveries/api.ts';
import type { Sums } from '../../../features/deliveries/sums.ts';

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

/** Most failed and unknown first, since those need attention; then the largest. */
export function worstFirst(all: readonly DestinationTotals[]): readonly DestinationTotals[] {
  const lost = ({ dead, unknown }: DestinationTotals): number => dead + unknown;
  return all.toSorted((a, b) => lost(b) - lost(a) || b.created - a.created);
}

/** The conversions that could be sent. */
export const eligibleOf = ({ created, skipped }: Sums): number => created - skipped;

/** Those that the rate is of: what still waits has not failed. */
export const finishedOf = ({ delivered, dead, unknown }: Pick<Sums, 'delivered' | 'dead' | 'unknown'>) =>
  delivered + dead + unknown;
