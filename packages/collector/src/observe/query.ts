/** Query parameters as the service's decoder will read them from the wire. */
import { FIELD_LIMITS } from '@ghostlight/core';
import { cut } from './text.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** @param search of a URL, with its `?`  @returns at most 64 parameters, cut to their limits; the first value of a name counts */
export function parseQuery(search: string): ReadonlyMap<string, string> {
  if (search === '') return NONE;
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    const key = cut(name, FIELD_LIMITS.queryKey);
    if (query.has(key)) continue;
    if (query.size >= FIELD_LIMITS.queryParams) break;
    query.set(key, cut(value, FIELD_LIMITS.queryValue));
  }
  return query;
}
