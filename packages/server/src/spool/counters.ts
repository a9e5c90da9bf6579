/** The counters' names on disk (`kept|edge_worker|ai_bot`) and their form in `SpoolStats`. */
import { SOURCES } from '@ghostlight/core';
import type { Source, SpoolCounters } from './types.ts';

export function countersOf(rows: ReadonlyMap<string, number>): SpoolCounters {
  const plain = (name: string) =>
    new Map(SOURCES.map((source) => [source, rows.get(`${name}|${source}`) ?? 0] as const));
  const labelled = (name: string) =>
    new Map<Source, ReadonlyMap<string, number>>(
      SOURCES.map((source) => {
        const prefix = `${name}|${source}|`;
        const labels = [...rows].filter(([key]) => key.startsWith(prefix));
        return [source, new Map(labels.map(([key, count]) => [key.slice(prefix.length), count]))];
      }),
    );
  return {
    received: plain('received'),
    kept: labelled('kept'),
    dropped: labelled('dropped'),
    rejected: labelled('rejected'),
    duplicate: plain('duplicate'),
    stored: rows.get('stored') ?? 0,
    unstorable: rows.get('unstorable') ?? 0,
    lateDuplicate: rows.get('late_duplicate') ?? 0,
  };
}
