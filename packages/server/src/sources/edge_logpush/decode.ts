/** Decodes one parsed line of log push: Cloudflare's native field names, one object a line. */
import { type ClassifiableHit, FIELD_LIMITS, isCutShort, type ObservedHit, UNSAID } from '@ghostlight/core';
import {
  countryOf,
  cut,
  hostOf,
  ipOf,
  optionalText,
  parseQuery,
  rayOf,
  UINT16_MAX,
  UINT32_MAX,
  Unusable,
  unsignedOf,
} from '../fields/coerce.ts';
import { instantFault, parseInstant } from '../fields/timestamps.ts';
import type { JsonLine } from '../json-lines/form.ts';
import type { Rejection } from '../reasons.ts';
import type { Observation } from '../source.ts';

const QUERY_LIMITS = {
  params: FIELD_LIMITS.queryParams,
  key: FIELD_LIMITS.queryKey,
  value: FIELD_LIMITS.queryValue,
} as const;
const NO_QUERY: ReadonlyMap<string, string> = new Map();
/** An address is cut here before it is taken apart. No edge passes on longer ones, and 64 values of 2 KiB have room. */
const MAX_URI = 128 * 1024;
const MAX_CATEGORY = 64;

/** Every member of a line that is read. */
export const LINE_FIELDS = [
  'ClientASN',
  'ClientCountry',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestReferer',
  'ClientRequestURI',
  'ClientRequestUserAgent',
  'EdgeResponseBytes',
  'EdgeResponseStatus',
  'EdgeStartTimestamp',
  'ParentRayID',
  'RayID',
  'VerifiedBotCategory',
  'WorkerSubrequest',
] as const;

/**
 * The fields by which a class is decided: a line that names its user agent is classified by these alone. Null: it names none (or one of a
 * wrong type), so it is checked in full.
 */
export function tracesOf(line: JsonLine): ClassifiableHit | null {
  const userAgent = line['ClientRequestUserAgent'];
  const referrer = line['ClientRequestReferer'] ?? '';
  if (typeof userAgent !== 'string' || typeof referrer !== 'string') return null;
  const host = line['ClientRequestHost'];
  return {
    host: typeof host === 'string' ? textOf(host, FIELD_LIMITS.host) : '',
    userAgent: textOf(userAgent, FIELD_LIMITS.userAgent),
    referrer: textOf(referrer, FIELD_LIMITS.referrer),
    query: queryOf(line['ClientRequestURI']),
    platformCategory: categoryOf(line['VerifiedBotCategory']),
    signatureAgent: '',
    edgeVerified: null,
    edgeVerifiedBy: null,
    sampleRate: null,
  };
}

/** @param attributionId the upload's, from its address  @param now epoch milliseconds */
export function decodeLine(
  line: JsonLine,
  attributionId: string | null,
  now: number,
): Observation | Rejection {
  const start = line['EdgeStartTimestamp'];
  if (start === undefined || start === null || start === '')
    return { reason: 'missing', field: 'EdgeStartTimestamp' };
  const at = parseInstant(start);
  if (at === null) return { reason: 'not_a_time', field: 'EdgeStartTimestamp' };
  const fault = instantFault(at, now);
  if (fault !== null) return { reason: fault, field: 'EdgeStartTimestamp' };

  const host = optionalText(line['ClientRequestHost'], FIELD_LIMITS.host);
  if (host instanceof Unusable) return { reason: host.reason, field: 'ClientRequestHost' };
  if (host === '') return { reason: 'missing', field: 'ClientRequestHost' };
  const path = pathOf(line);
  if (path instanceof Unusable) return { reason: path.reason, field: 'ClientRequestURI' };
  if (path === '') return { reason: 'missing', field: 'ClientRequestURI' };

  const method = optionalText(line['ClientRequestMethod'], FIELD_LIMITS.method);
  if (method instanceof Unusable) return { reason: method.reason, field: 'ClientRequestMethod' };
  const userAgent = optionalText(line['ClientRequestUserAgent'], FIELD_LIMITS.userAgent);
  if (userAgent instanceof Unusable) return { reason: userAgent.reason, field: 'ClientRequestUserAgent' };
  const referrer = optionalText(line['ClientRequestReferer'], FIELD_LIMITS.referrer);
  if (referrer instanceof Unusable) return { reason: referrer.reason, field: 'ClientRequestReferer' };
  const status = unsignedOf(line['EdgeResponseStatus'], UINT16_MAX);
  if (status instanceof Unusable) return { reason: status.reason, field: 'EdgeResponseStatus' };
  const bytes = unsignedOf(line['EdgeResponseBytes'], Number.MAX_SAFE_INTEGER);
  if (bytes instanceof Unusable) return { reason: bytes.reason, field: 'EdgeResponseBytes' };
  const asn = unsignedOf(line['ClientASN'], UINT32_MAX);
  if (asn instanceof Unusable) return { reason: asn.reason, field: 'ClientASN' };

  const ip = ipOf(line['ClientIP']);
  const hit: ObservedHit = {
    ...UNSAID,
    source: 'edge_logpush',
    at,
    attributionId,
    host: hostOf(host, FIELD_LIMITS.host),
    method: method.toUpperCase(),
    path,
    query: queryOf(line['ClientRequestURI']),
    ip,
    userAgent,
    referrer,
    status,
    bytes,
    country: countryOf(line['ClientCountry']),
    asn,
    addressFlaw: ip !== null && isCutShort(ip) ? 'round' : null,
    platformCategory: categoryOf(line['VerifiedBotCategory']),
    rayId: rayOf(line['RayID'], FIELD_LIMITS.rayId),
  };
  return { hit, ownRequest: isOwnRequest(line) };
}

function textOf(value: string, limit: number): string {
  const text = optionalText(value, limit);
  return typeof text === 'string' ? text : '';
}

/** `ClientRequestURI` up to its query, else `ClientRequestPath`; both may hold a whole URL where the client sent an absolute form. */
function pathOf(line: JsonLine): string | Unusable {
  const uri = line['ClientRequestURI'];
  const whole = uri === undefined || uri === null || uri === '' ? line['ClientRequestPath'] : uri;
  if (typeof whole !== 'string') return optionalText(whole, FIELD_LIMITS.path);
  const mark = whole.indexOf('?');
  return textOf(mark === -1 ? whole : whole.slice(0, mark) || '/', FIELD_LIMITS.path);
}

function queryOf(value: unknown): ReadonlyMap<string, string> {
  if (typeof value !== 'string') return NO_QUERY;
  const uri = value.length > MAX_URI ? value.slice(0, MAX_URI) : value;
  const mark = uri.indexOf('?');
  if (mark === -1) return NO_QUERY;
  const hash = uri.indexOf('#', mark);
  return parseQuery(uri.slice(mark + 1, hash === -1 ? uri.length : hash), QUERY_LIMITS);
}

/** The platform's documents write `AI Crawler`, its filter `AI_CRAWLER`: upper case with `_` for blanks is the form compared. */
export function categoryOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_CATEGORY) return null;
  const category = cut(value, MAX_CATEGORY).trim().toUpperCase().replace(/\s+/g, '_');
  return category.startsWith('AI_') ? category : null;
}

/** A Worker's own fetch has its own line beside the visit's; `00` is the edge's way to write "no parent". */
function isOwnRequest(line: JsonLine): boolean {
  const sub = line['WorkerSubrequest'];
  if (sub === true || sub === 'true' || sub === 1 || sub === '1') return true;
  const parent = line['ParentRayID'];
  return typeof parent === 'string' && !/^0*$/.test(parent.trim());
}

/** Of a line that is not parsed. @param line its bytes as latin1 */
export function userAgentIn(line: string): string | undefined {
  const match = /"ClientRequestUserAgent":"([^"]*)"/.exec(line);
  return match?.[1] === undefined ? undefined : Buffer.from(match[1], 'latin1').toString();
}
