/** From the lists that travel with the code and the sources' last good readings to the list that is published. Pure. */
import { createHash } from 'node:crypto';
import { type BotLists, mergeLists, type SignatureAgentKey } from '@ghostlight/core';
import type { Snapshot } from './read-source.ts';
import type { StoredPublication } from './snapshots.ts';

/**
 * @returns the publication that ought to stand, or null when the one that stands is it already
 * @param now epoch milliseconds
 */
export function compose(
  embedded: BotLists,
  snapshots: readonly Snapshot[],
  standing: StoredPublication | null,
  now: number,
): StoredPublication | null {
  // While nodes are upgraded one by one, the older ones build upon what the newest has published.
  const base = standing !== null && standing.embedded > embedded.version ? standing.lists : embedded;
  const agentKeys = new Map<string, readonly SignatureAgentKey[]>();
  for (const snapshot of snapshots) if (snapshot.kind === 'keys') agentKeys.set(snapshot.url, snapshot.keys);
  const merged = mergeLists(base, {
    version: 0,
    generated_at: '',
    ip_ranges: snapshots.flatMap((snapshot) => (snapshot.kind === 'ranges' ? [snapshot.set] : [])),
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
