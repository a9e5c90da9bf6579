/** From the lists that travel with the code and the sources' last good readings to the list that is published. Pure. */
import { createHash } from 'node:crypto';
import {
  type BotLists,
  embeddedSearchEngines,
  type IpRangeSet,
  mergeLists,
  type SearchEngines,
  type SignatureAgentKey,
} from '@ghostlight/core';
import { type CustomBot, withCustomBots } from './custom-bots.ts';
import type { PublishedList } from './published-list.ts';
import type { StoredPublication, StoredSource } from './snapshots.ts';

/** A source's last good reading; a day in which nothing else changed still makes a new list, for its `as_of`. */
export type GoodReading = Pick<StoredSource, 'snapshot' | 'fetchedAt'>;

/**
 * @returns the publication that ought to stand, or null when the one that stands is it already
 * @param now epoch milliseconds
 */
export function compose(
  embedded: BotLists,
  readings: readonly GoodReading[],
  custom: readonly CustomBot[],
  standing: StoredPublication | null,
  now: number,
): StoredPublication | null {
  // While nodes are upgraded one by one, the older ones build upon what the newest has published.
  const own = standing !== null && standing.embedded > embedded.version ? standing.lists : embedded;
  const base = withPublished(own, newestList(readings), Math.max(embedded.version, standing?.embedded ?? 0));
  const agentKeys = new Map<string, { keys: readonly SignatureAgentKey[]; as_of: string }>();
  const ipRanges: IpRangeSet[] = [];
  for (const { snapshot, fetchedAt } of readings) {
    const as_of = fetchedAt === null ? '' : dayOf(fetchedAt);
    if (snapshot?.kind === 'keys') agentKeys.set(snapshot.url, { keys: snapshot.keys, as_of });
    if (snapshot?.kind === 'ranges') ipRanges.push({ ...snapshot.set, as_of });
  }
  const merged = mergeLists(withCustomBots(base, custom), {
    version: 0,
    generated_at: '',
    ip_ranges: ipRanges,
    agent_keys: agentKeys,
  });
  const digest = createHash('sha256').update(JSON.stringify(merged)).digest('hex');
  if (standing?.digest === digest) return null;
  const lists: BotLists = {
    ...merged,
    version: Math.max((standing?.lists.version ?? 0) + 1, embedded.version),
    generated_at: new Date(now).toISOString(),
  };
  return { lists, digest, embedded: Math.max(embedded.version, standing?.embedded ?? 0) };
}

function newestList(readings: readonly GoodReading[]): PublishedList | null {
  for (const { snapshot } of readings) if (snapshot?.kind === 'list') return snapshot.list;
  return null;
}

/** Patterns and referrers of the published list, unless those that came with the code are newer. */
function withPublished(base: BotLists, list: PublishedList | null, version: number): BotLists {
  if (list === null || list.version < version) return base;
  const { bot_patterns, ai_referrer_domains, ai_referrer_apps, ai_referrer_names = {} } = list;
  return { ...base, bot_patterns, ai_referrer_domains, ai_referrer_apps, ai_referrer_names };
}

/** UTC, `YYYY-MM-DD`. @param at epoch milliseconds */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

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
