/** From the lists that travel with the code and the sources' last good readings to the list that is published. Pure. */
import { createHash } from 'node:crypto';
import { type BotLists, type IpRangeSet, mergeLists, type SignatureAgentKey } from '@ghostlight/core';
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
  standing: StoredPublication | null,
  now: number,
): StoredPublication | null {
  // While nodes are upgraded one by one, the older ones build upon what the newest has published.
  const base = standing !== null && standing.embedded > embedded.version ? standing.lists : embedded;
  const agentKeys = new Map<string, { keys: readonly SignatureAgentKey[]; as_of: string }>();
  const ipRanges: IpRangeSet[] = [];
  for (const { snapshot, fetchedAt } of readings) {
    const as_of = fetchedAt === null ? '' : dayOf(fetchedAt);
    if (snapshot?.kind === 'keys') agentKeys.set(snapshot.url, { keys: snapshot.keys, as_of });
    if (snapshot?.kind === 'ranges') ipRanges.push({ ...snapshot.set, as_of });
  }
  const merged = mergeLists(base, {
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

/** UTC, `YYYY-MM-DD`. @param at epoch milliseconds */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
