/** Recognises a sender behind a request that no route answers: a near miss of an ingest address. */
import { DEFAULT_SOURCE, pathOf, SOURCES } from '../sources/index.ts';
import type { Signal } from './signals.ts';

const ABOUT = SOURCES.map(({ about }) => about);
const PATHS: ReadonlySet<string> = new Set(ABOUT.map(({ name }) => pathOf(name)));
const LOGS = /logs?\b/i;

/**
 * @param path the URL's path, without the query
 * @returns null for everything that is no sender's mistake: scanners ask for thousands of paths
 */
export function unknownPathSignal(method: string, path: string): Signal | null {
  if (method !== 'POST' && method !== 'PUT') return null;
  const trimmed = path.replace(/\/+$/, '').toLowerCase();
  const meant = ABOUT.find(({ misspelled }) => misspelled.test(path));
  const about = { endpoint: (meant ?? DEFAULT_SOURCE).name, organizationId: null, attributionId: null };
  if (PATHS.has(trimmed) && trimmed !== path.toLowerCase()) {
    return { ...about, kind: 'trailing_slash', detail: '' };
  }
  return meant !== undefined || LOGS.test(path)
    ? { ...about, kind: 'wrong_path', detail: '', sample: path.slice(0, 200) }
    : null;
}
