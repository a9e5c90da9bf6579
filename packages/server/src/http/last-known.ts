/** Figures of the database for a scrape: read rarely, and kept while the database is down. */
import type { Clock } from '../common/index.ts';

/** A scrape more often than this sees the same figures: each reads a whole queue. */
const FRESH_MS = 10_000;

/** @param nothing what is known before the first reading has succeeded */
export function lastKnown<Figures>(
  read: () => Promise<Figures>,
  nothing: Figures,
  clock: Clock,
): () => Promise<Figures> {
  let known: { readonly at: number; readonly figures: Promise<Figures> } | undefined;
  return () => {
    if (known === undefined || clock() - known.at > FRESH_MS) {
      const last = known?.figures ?? Promise.resolve(nothing);
      // While the database is down the last figures stand: the other metrics are needed then.
      known = { at: clock(), figures: read().catch(() => last) };
    }
    return known.figures;
  };
}
