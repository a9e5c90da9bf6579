/** From what a line says to a hit: every value coerced and bounded, or the first that can't be, by its sender's name. Never throws. */
import { createHash } from 'node:crypto';
import {
  addressFlaw,
  FIELD_LIMITS,
  isObject,
  MIN_SAMPLE_RATE,
  type ObservedHit,
  UNSAID,
} from '@ghostlight/core';
import type { Rejection } from '../reasons.ts';
import type { Decoded } from '../source.ts';
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
} from './coerce.ts';
import type { VisitRecord } from './record.ts';
import { signedOf } from './signed.ts';
import { instantFault, parseInstant } from './timestamps.ts';

const QUERY_LIMITS = {
  params: FIELD_LIMITS.queryParams,
  key: FIELD_LIMITS.queryKey,
  value: FIELD_LIMITS.queryValue,
} as const;
/** What was asked for is cut here before it is taken apart: 64 values of 2 KiB have room. */
const MAX_TARGET = 128 * 1024;
const RAY = /^[0-9a-f]{16}(?:-[a-z]{3})?$/i;
const ABSOLUTE = /^[a-z][a-z0-9+.-]{0,15}:\/\/([^/?#]*)(.*)$/is;

/** What holds for all lines of a request. */
export interface Observing {
  readonly source: string;
  /** The property that the request's address names. */
  readonly attributionId: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The site of lines that name none; empty: they are rejected. */
  readonly host?: string;
  /** Which share of all requests the log has, unless a line says it. */
  readonly loggedShare?: number | null;
  /** How old a visit may be; milliseconds. Absent: 31 days. */
  readonly maxAgeMs?: number;
  /** Its addresses may have lost their end. */
  readonly anonymizes?: boolean;
  /** The sender's name of a member. */
  readonly nameOf?: (member: keyof VisitRecord) => string;
}

export function observe(record: VisitRecord, observing: Observing): Decoded {
  const refuse = (reason: Rejection['reason'], member: keyof VisitRecord): Rejection => ({
    reason,
    field: observing.nameOf?.(member) ?? member,
  });
  if (record.time === undefined) return refuse('missing', 'time');
  const at = parseInstant(record.time);
  if (at === null) return refuse('not_a_time', 'time');
  const fault = instantFault(at, observing.now, observing.maxAgeMs);
  if (fault !== null) return refuse(fault, 'time');

  const whole = optionalText(record.target, MAX_TARGET);
  if (whole instanceof Unusable) return refuse(whole.reason, 'target');
  if (whole === '') return refuse('missing', 'target');
  const [, authority = '', rest] = ABSOLUTE.exec(whole) ?? [];
  const { path, search } = splitTarget(rest ?? whole);

  const named = optionalText(record.host, FIELD_LIMITS.host);
  if (named instanceof Unusable) return refuse(named.reason, 'host');
  const host = named || authority.slice(authority.lastIndexOf('@') + 1) || (observing.host ?? '');
  if (host.trim() === '') return refuse('missing', 'host');

  const texts = textsOf(record);
  if ('fault' in texts) return refuse(texts.fault, texts.member);
  const numbers = numbersOf(record);
  if ('fault' in numbers) return refuse(numbers.fault, numbers.member);
  const attributionId = ownerOf(record.attributionId, observing.attributionId);
  if (attributionId instanceof Unusable) return refuse('unknown_attribution_id', 'attributionId');

  const ip = addressOf(record.ip);
  const hit: ObservedHit = {
    ...UNSAID,
    ...texts,
    ...numbers,
    source: observing.source,
    at,
    attributionId,
    host: hostOf(host, FIELD_LIMITS.host),
    path,
    query: queryOf(record.query, search),
    ip,
    country: countryOf(record.country),
    loggedShare: shareOf(record.loggedShare) ?? observing.loggedShare ?? null,
    rayId: requestIdOf(record.requestId),
    addressFlaw: addressFlaw(ip, observing.anonymizes === true),
    signed: signedOf(record, host, whole, rest ?? whole),
  };
  return { hit, ownRequest: false };
}

type Faulty = { readonly fault: Unusable['reason']; readonly member: keyof VisitRecord };

function textsOf(
  record: VisitRecord,
): Pick<ObservedHit, 'method' | 'userAgent' | 'referrer' | 'wafAction'> | Faulty {
  const method = optionalText(record.method, FIELD_LIMITS.method);
  if (method instanceof Unusable) return { fault: method.reason, member: 'method' };
  const userAgent = optionalText(record.userAgent, FIELD_LIMITS.userAgent);
  if (userAgent instanceof Unusable) return { fault: userAgent.reason, member: 'userAgent' };
  const referrer = optionalText(record.referrer, FIELD_LIMITS.referrer);
  if (referrer instanceof Unusable) return { fault: referrer.reason, member: 'referrer' };
  const waf = optionalText(record.wafAction, FIELD_LIMITS.wafAction);
  const wafAction = waf instanceof Unusable ? '' : waf.toLowerCase();
  return { method: method.toUpperCase(), userAgent, referrer, wafAction };
}

/** `-1` and the like are how senders write that there was no answer. */
function numbersOf(record: VisitRecord): Pick<ObservedHit, 'status' | 'bytes' | 'asn'> | Faulty {
  const number = numberOf(record.status);
  const status = typeof number === 'number' && number < 0 ? 0 : unsignedOf(record.status, UINT16_MAX);
  if (status instanceof Unusable) return { fault: status.reason, member: 'status' };
  const bytes = unsignedOf(record.bytes, Number.MAX_SAFE_INTEGER);
  if (bytes instanceof Unusable) return { fault: bytes.reason, member: 'bytes' };
  const digits = typeof record.asn === 'string' ? record.asn.replace(/^as/i, '') : record.asn;
  const asn = unsignedOf(digits, UINT32_MAX);
  if (asn instanceof Unusable) return { fault: asn.reason, member: 'asn' };
  return { status, bytes, asn };
}

function splitTarget(target: string): { path: string; search: string } {
  const mark = target.indexOf('?');
  const before = mark === -1 ? target : target.slice(0, mark);
  const hash = mark === -1 ? -1 : target.indexOf('#', mark);
  const search = mark === -1 ? '' : target.slice(mark + 1, hash === -1 ? target.length : hash);
  // `OPTIONS *` asks for no path; some senders leave the first slash out.
  const path = before.startsWith('/') || before === '*' ? before : `/${before}`;
  return { path: cut(path, FIELD_LIMITS.path), search };
}

/** A separate query takes precedence over one in the path. */
function queryOf(value: unknown, search: string): ReadonlyMap<string, string> {
  const behind = parseQuery(search, QUERY_LIMITS);
  if (value === undefined || value === null) return behind;
  const apart =
    typeof value === 'string'
      ? parseQuery(value.slice(value.startsWith('?') ? 1 : 0, MAX_TARGET), QUERY_LIMITS)
      : membersOf(value);
  for (const [name, text] of behind)
    if (!apart.has(name) && apart.size < QUERY_LIMITS.params) apart.set(name, text);
  return apart;
}

function membersOf(value: unknown): Map<string, string> {
  const query = new Map<string, string>();
  if (!isObject(value)) return query;
  for (const name in value) {
    if (query.size >= QUERY_LIMITS.params) break;
    const one: unknown = value[name];
    const text = optionalText(Array.isArray(one) ? one[0] : one, QUERY_LIMITS.value);
    if (typeof text === 'string') query.set(cut(name, QUERY_LIMITS.key), text);
  }
  return query;
}

/** An id that is no UUID belongs to no property. */
function ownerOf(value: unknown, addressed: string | null): string | null | Unusable {
  if (value === undefined || value === null || value === '') return addressed;
  return (typeof value === 'string' ? uuidOf(value) : null) ?? new Unusable('wrong_type');
}

/** The visitor of `client, proxy, proxy`, without port and brackets. */
function addressOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const first = value.slice(0, 128).split(',', 1)[0]?.trim() ?? '';
  const [, bracketed] = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(first) ?? [];
  const [, dotted] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(first) ?? [];
  return ipOf(bracketed ?? dotted ?? first);
}

/** @returns null for what is no share */
export function shareOf(value: unknown): number | null {
  const number = numberOf(value);
  if (typeof number !== 'number' || number < MIN_SAMPLE_RATE || number > 1) return null;
  return number === 1 ? null : number;
}

/** A ray is known in every log by one form, other ids keep their case. A longer one is known by its digest. */
function requestIdOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const id = String(value).trim().toWellFormed();
  if (RAY.test(id)) return rayOf(id, FIELD_LIMITS.rayId);
  return id.length <= FIELD_LIMITS.rayId ? id : createHash('sha256').update(id).digest('hex');
}
