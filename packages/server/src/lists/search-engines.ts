/** The search crawlers in use: those that travel with the code, with their sources' last good readings. Pure. */
import { embeddedSearchEngines, type SearchEngines } from '@ghostlight/core';
import { dayOf, type GoodReading } from './compose.ts';

/** Every node makes the same of the same readings. */
export function composeSearchEngines(readings: readonly GoodReading[]): SearchEngines {
  const embedded = embeddedSearchEngines();
  const fresh = readings.flatMap(({ snapshot, fetchedAt }) =>
    snapshot?.kind === 'ranges' && snapshot.set.prefixes.length > 0
      ? [{ ...snapshot.set, as_of: fetchedAt === null ? '' : dayOf(fetchedAt) }]
      : [],
  );
  const replaced = new Set(fresh.flatMap(({ bots }) => bots));
  const kept = embedded.ip_ranges.filter(({ bots }) => !bots.some((bot) => replaced.has(bot)));
  return { ...embedded, ip_ranges: [...kept, ...fresh] };
}
