/** Recognises a sender behind a request that no route answers: a near miss of an ingest address. */
import type { Signal } from './signals.ts';

const ENDPOINTS = ['/v1/logs/edge_worker', '/v1/logs/edge_logpush'];
const SENDER = /logs?\b|edge[_-]?(worker|logpush)|logpush/i;

/**
 * @param path the URL's path, without the query
 * @returns null for everything that is no sender's mistake: scanners ask for thousands of paths
 */
export function unknownPathSignal(method: string, path: string): Signal | null {
  if (method !== 'POST' && method !== 'PUT') return null;
  const trimmed = path.replace(/\/+$/, '').toLowerCase();
  const exact = ENDPOINTS.find((endpoint) => trimmed === endpoint);
  const meant = /logpush/i.test(path) ? 'edge_logpush' : 'edge_worker';
  const about = { endpoint: meant, organizationId: null, attributionId: null };
  if (exact !== undefined && trimmed !== path.toLowerCase()) {
    return { ...about, kind: 'trailing_slash', detail: '' };
  }
  return SENDER.test(path) ? { ...about, kind: 'wrong_path', detail: '', sample: path.slice(0, 200) } : null;
}
