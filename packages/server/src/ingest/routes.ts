/** The two ingest paths, matched exactly: a trailing slash is another path and is told so by the application. */
import type { Ingest } from './ingest.ts';
import type { RawHandler } from './ports.ts';

export function ingestRoutes(
  ingest: Pick<Ingest, 'edgeWorker' | 'edgeLogpush'>,
): ReadonlyMap<string, RawHandler> {
  return new Map([
    ['/v1/logs/edge_worker', ingest.edgeWorker],
    ['/v1/logs/edge_logpush', ingest.edgeLogpush],
  ]);
}
