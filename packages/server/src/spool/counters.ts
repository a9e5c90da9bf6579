/** The counters' names on disk (`kept|edge_worker|ai_bot`) and their form in `SpoolStats`. */
import { ENDPOINTS, type Endpoint, type SpoolCounters } from './types.ts';

export function countersOf(rows: ReadonlyMap<string, number>): SpoolCounters {
  const plain = (name: string) =>
    new Map(ENDPOINTS.map((endpoint) => [endpoint, rows.get(`${name}|${endpoint}`) ?? 0] as const));
  const labelled = (name: string) =>
    new Map<Endpoint, ReadonlyMap<string, number>>(
      ENDPOINTS.map((endpoint) => {
        const prefix = `${name}|${endpoint}|`;
        const labels = [...rows].filter(([key]) => key.startsWith(prefix));
        return [endpoint, new Map(labels.map(([key, count]) => [key.slice(prefix.length), count]))];
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
    lost: rows.get('lost') ?? 0,
  };
}
