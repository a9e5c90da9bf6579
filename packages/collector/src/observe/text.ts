import { FIELD_LIMITS } from '@ghostlight/core';

/** As the service's decoder does it: cuts to `limit` UTF-16 code units, makes U+FFFD of a surrogate pair that the cut splits, and leaves NUL out. */
export function cut(text: string, limit: number): string {
  const short = text.length > limit ? text.slice(0, limit) : text;
  return short.toWellFormed().replaceAll('\0', '');
}

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
