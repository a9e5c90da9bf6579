/** Requests per minute that a platform allows, kept to per destination and node; what several nodes overdo together, its 429 tells. */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock } from '../../common/index.ts';

export interface Rates {
  /** @returns 0: go ahead; else how long (ms) until the next request may leave */
  take(destinationId: string, perMinute: number | null): number;
}

/** A fifth at once and four fifths spread over the minute: in no minute more than all. */
const AT_ONCE = 0.2;
const ROUNDING = 1e-9;
/** Destinations that are remembered; a forgotten one begins with a full fifth again. */
const MAX_DESTINATIONS = 1_000;

export function createRates(clock: Clock): Rates {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  return {
    take(id, perMinute) {
      if (perMinute === null) return 0;
      const most = Math.max(1, perMinute * AT_ONCE);
      const perMs = (perMinute * (1 - AT_ONCE)) / MINUTE_MS;
      const now = clock();
      const { left, at } = buckets.get(id) ?? { left: most, at: now };
      const filled = Math.min(most, left + Math.max(0, now - at) * perMs);
      // The last digits of a sum of fractions: after exactly the wait that was returned, it is free.
      const isFree = filled >= 1 - ROUNDING;
      buckets.delete(id);
      buckets.set(id, { left: isFree ? Math.max(0, filled - 1) : filled, at: now });
      const [oldest] = buckets.keys();
      if (buckets.size > MAX_DESTINATIONS && oldest !== undefined) buckets.delete(oldest);
      return isFree ? 0 : Math.ceil((1 - filled) / perMs);
    },
  };
}
