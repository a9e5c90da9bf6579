/** Decodes a collector's log objects, as docs/sending-data.md describes them. Never throws on input. */
import { FIELD_LIMITS, type ObservedHit, UNSAID } from '@ghostlight/core';
import { claimsOf } from '../fields/claims.ts';
import {
  countryOf,
  cut,
  hostOf,
  ipOf,
  numberOf,
  optionalText,
  parseQuery,
  rayOf,
  UINT16_MAX,
  UINT32_MAX,
  Unusable,
  unsignedOf,
  uuidOf,
  WRONG_TYPE,
} from '../fields/coerce.ts';
import { instantFault } from '../fields/timestamps.ts';
import type { Rejection } from '../reasons.ts';
import type { Observation } from '../source.ts';

const NOT_AN_OBJECT: Rejection = { reason: 'not_an_object', field: null };
const NO_QUERY: ReadonlyMap<string, string> = new Map();
const QUERY_LIMITS = {
  params: FIELD_LIMITS.queryParams,
  key: FIELD_LIMITS.queryKey,
  value: FIELD_LIMITS.queryValue,
} as const;

/**
 * One element to a hit. Members are read by name from the parsed object and never copied in bulk, so `__proto__` is just an unknown field.
 * @param now epoch milliseconds
 */
export function decodeElement(element: unknown, now: number): Observation | Rejection {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return NOT_AN_OBJECT;
  const log = element as Record<string, unknown>;

  const at = numberOf(log['timestamp']);
  if (at === undefined) return { reason: 'missing', field: 'timestamp' };
  if (at instanceof Unusable) return { reason: at.reason, field: 'timestamp' };
  const fault = instantFault(at, now);
  if (fault !== null) return { reason: fault, field: 'timestamp' };

  const host = required(log['host'], FIELD_LIMITS.host);
  if (typeof host !== 'string') return { reason: host?.reason ?? 'missing', field: 'host' };
  const named = required(log['pathname'], FIELD_LIMITS.path + FIELD_LIMITS.queryValue);
  if (typeof named !== 'string') return { reason: named?.reason ?? 'missing', field: 'pathname' };
  const { path, search } = splitPath(named);

  const attributionId = attributionOf(log['attribution_id']);
  if (attributionId instanceof Unusable) return { reason: 'unknown_attribution_id', field: 'attribution_id' };
  const own = queryOf(log['query_params']);
  const query = own instanceof Unusable || search === '' ? own : withQuery(own, search);
  if (query instanceof Unusable) return { reason: query.reason, field: 'query_params' };
  const method = optionalText(log['method'], FIELD_LIMITS.method);
  if (method instanceof Unusable) return { reason: method.reason, field: 'method' };
  const userAgent = optionalText(log['user_agent'], FIELD_LIMITS.userAgent);
  if (userAgent instanceof Unusable) return { reason: userAgent.reason, field: 'user_agent' };
  // HTTP's spelling, as collectors send it, or the dictionary's, as our exports say it.
  const referrer = optionalText(log[log['referer'] ? 'referer' : 'referrer'], FIELD_LIMITS.referrer);
  if (referrer instanceof Unusable) return { reason: referrer.reason, field: 'referer' };
  const status = unsignedOf(log['status'], UINT16_MAX);
  if (status instanceof Unusable) return { reason: status.reason, field: 'status' };
  const bytes = unsignedOf(log['bytes'], Number.MAX_SAFE_INTEGER);
  if (bytes instanceof Unusable) return { reason: bytes.reason, field: 'bytes' };
  const asn = unsignedOf(log['asn'], UINT32_MAX);
  if (asn instanceof Unusable) return { reason: asn.reason, field: 'asn' };
  const claims = claimsOf(log);
  if ('reason' in claims) return claims;

  const hit: ObservedHit = {
    ...UNSAID,
    ...claims,
    source: 'edge_worker',
    at: Math.trunc(at),
    attributionId,
    host: hostOf(host, FIELD_LIMITS.host),
    method: method.toUpperCase(),
    path,
    query,
    ip: ipOf(log['ip']),
    userAgent,
    referrer,
    status,
    bytes,
    country: countryOf(log['country']),
    asn,
    rayId: rayOf(log['ray_id'] ?? log['request_id'], FIELD_LIMITS.rayId),
    ...(log['test'] === true ? { isTest: true } : {}),
  };
  return { hit, ownRequest: false };
}

/** Some senders put the whole target into the path. */
function splitPath(text: string): { path: string; search: string } {
  const mark = text.indexOf('?');
  if (mark === -1) return { path: cut(text, FIELD_LIMITS.path), search: '' };
  return { path: cut(text.slice(0, mark) || '/', FIELD_LIMITS.path), search: text.slice(mark + 1) };
}

/** What the sender named as parameters counts first. */
function withQuery(query: ReadonlyMap<string, string>, search: string): ReadonlyMap<string, string> {
  const all = new Map(query);
  for (const [name, value] of parseQuery(search, QUERY_LIMITS))
    if (!all.has(name) && all.size < QUERY_LIMITS.params) all.set(name, value);
  return all;
}

/** A text that must be there. Null: it is missing, null or empty. */
function required(value: unknown, limit: number): string | Unusable | null {
  const text = optionalText(value, limit);
  return text === '' ? null : text;
}

/** Null: none named. An id that is no UUID belongs to no property. */
function attributionOf(value: unknown): string | null | Unusable {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return WRONG_TYPE;
  return uuidOf(value) ?? WRONG_TYPE;
}

/** An object of strings; a raw query string is read too, and `[]` is PHP's empty object. */
function queryOf(value: unknown): ReadonlyMap<string, string> | Unusable {
  if (value === undefined || value === null) return NO_QUERY;
  if (typeof value === 'string')
    return parseQuery(value.startsWith('?') ? value.slice(1) : value, QUERY_LIMITS);
  if (typeof value !== 'object') return WRONG_TYPE;
  if (Array.isArray(value)) return value.length === 0 ? NO_QUERY : WRONG_TYPE;
  // Most visits have none.
  let query: Map<string, string> | null = null;
  for (const name in value) {
    query ??= new Map();
    if (query.size >= QUERY_LIMITS.params) break;
    const text = optionalText((value as Record<string, unknown>)[name], QUERY_LIMITS.value);
    // A nested value can't have come from a query string; the rest of them can.
    if (typeof text === 'string') query.set(cut(name, QUERY_LIMITS.key), text);
  }
  return query ?? NO_QUERY;
}
