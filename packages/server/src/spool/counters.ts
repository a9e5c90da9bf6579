/** The counters' names on disk (`kept|edge_worker|ai_bot`) and their form in `SpoolStats`: an endpoint is there once something was counted under it. */
import type { Endpoint, SpoolCounters } from './types.ts';

export function countersOf(rows: ReadonlyMap<string, number>): SpoolCounters {
  const plain = { received: new Map<Endpoint, number>(), duplicate: new Map<Endpoint, number>() };
  const labelled = {
    kept: new Map<Endpoint, Map<string, number>>(),
    dropped: new Map<Endpoint, Map<string, number>>(),
    rejected: new Map<Endpoint, Map<string, number>>(),
  };
  for (const [key, count] of rows) {
    const [name = '', endpoint, label] = key.split('|', 3);
    if (endpoint === undefined) continue;
    if (label === undefined) plain[name as keyof typeof plain]?.set(endpoint, count);
    else entryOf(labelled[name as keyof typeof labelled], endpoint)?.set(label, count);
  }
  return {
    ...plain,
    ...labelled,
    stored: rows.get('stored') ?? 0,
    unstorable: rows.get('unstorable') ?? 0,
    lateDuplicate: rows.get('late_duplicate') ?? 0,
    lost: rows.get('lost') ?? 0,
  };
}

/** Rows that were kept, and have not left in one way or another. */
export function pendingOf({ kept, stored, unstorable, lateDuplicate, lost }: SpoolCounters): number {
  const rows = [...kept.values()].flatMap((labels) => [...labels.values()]);
  return rows.reduce((sum, count) => sum + count, 0) - stored - unstorable - lateDuplicate - lost;
}

/** By name, of several nodes or connections. */
export function sumOf(all: Iterable<ReadonlyMap<string, number>>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const counters of all)
    for (const [name, value] of counters) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums;
}

function entryOf(
  of: Map<Endpoint, Map<string, number>> | undefined,
  endpoint: Endpoint,
): Map<string, number> | undefined {
  const entry = of?.get(endpoint) ?? new Map<string, number>();
  of?.set(endpoint, entry);
  return entry;
}
