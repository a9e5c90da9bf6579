/**
 * What a value of the wire becomes. Both decoders coerce alike: numbers may be decimal strings, over-long texts are cut, and every
 * string is made well-formed, because one lone surrogate makes the warehouse refuse the whole batch that carries it.
 */

import { domainToASCII } from 'node:url';

/** A value that can't be what its field needs. */
export class Unusable {
  readonly reason: 'wrong_type' | 'out_of_range';

  constructor(reason: 'wrong_type' | 'out_of_range') {
    this.reason = reason;
  }
}

export const WRONG_TYPE = new Unusable('wrong_type');
export const OUT_OF_RANGE = new Unusable('out_of_range');

/** Largest values of the warehouse's unsigned columns. */
export const UINT16_MAX = 65_535;
export const UINT32_MAX = 4_294_967_295;

/** Cuts to `limit` UTF-16 code units; a surrogate pair that the cut splits becomes U+FFFD. NUL is left out, as of all texts that machines send. */
export function cut(text: string, limit: number): string {
  const short = text.length > limit ? text.slice(0, limit) : text;
  const formed = short.isWellFormed() ? short : short.toWellFormed();
  return formed.includes('\0') ? formed.replaceAll('\0', '') : formed;
}

/** Missing and null are empty; numbers and booleans become their text. */
export function optionalText(value: unknown, limit: number): string | Unusable {
  if (typeof value === 'string') return cut(value, limit);
  if (value === undefined || value === null) return '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : WRONG_TYPE;
}

const DECIMAL = /^[+-]?\d{1,32}(?:\.\d{0,32})?(?:[eE][+-]?\d{1,3})?$/;

/** A finite number, or a decimal string of one; missing, null and `""` are undefined. */
export function numberOf(value: unknown): number | undefined | Unusable {
  if (typeof value === 'number') return Number.isFinite(value) ? value : OUT_OF_RANGE;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return WRONG_TYPE;
  const text = value.length > 80 ? value : value.trim();
  if (text === '') return undefined;
  if (text.length > 80 || !DECIMAL.test(text)) return WRONG_TYPE;
  const number = Number(text);
  return Number.isFinite(number) ? number : OUT_OF_RANGE;
}

/** An unsigned integer up to `max`; 0 when absent. A fraction is cut off. */
export function unsignedOf(value: unknown, max: number): number | Unusable {
  const number = numberOf(value);
  if (number === undefined) return 0;
  if (number instanceof Unusable) return number;
  if (number < 0 || number > max) return OUT_OF_RANGE;
  return Math.trunc(number);
}

/**
 * Host as stored, one for all the ways to write it (UTS 46): lower case, punycode, without a default port and a trailing dot. Another port stays: it
 * is another site. What is no host name stays as it is, in lower case.
 */
export function hostOf(text: string, limit: number): string {
  const host = cut(text.trim(), limit).toLowerCase();
  if (PLAIN_HOST.test(host)) return host;
  const [, name = host, port = ''] = /^(.*?)(?::(\d{1,5}))?$/s.exec(host) ?? [];
  const ascii = ASCII_NAME.test(name) ? name : domainToASCII(name);
  const folded = (ascii === '' ? name : ascii).replace(/\.$/, '');
  return port === '' || port === '80' || port === '443' ? folded : `${folded}:${port}`;
}

const PLAIN_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const ASCII_NAME = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/;

/** Two upper-case letters, or empty: the edge also sends `XX`, `T1` and nothing. */
export function countryOf(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : '';
}

/** An address as text; anything else is null and rejects nothing. */
export function ipOf(value: unknown): string | null {
  return typeof value === 'string' && value.length > 0 && value.length <= 64 && value.isWellFormed()
    ? value
    : null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lower-case UUID from any letter case, or null. */
export function uuidOf(text: string): string | null {
  if (text.length < 36 || text.length > 64) return null;
  const lower = text.trim().toLowerCase();
  return UUID.test(lower) ? lower : null;
}

/** The edge's request id: `cf-ray` carries the data centre behind a dash, log push's `RayID` doesn't. */
export function rayOf(value: unknown, limit: number): string {
  if (typeof value !== 'string' || value === '') return '';
  return cut(value.trim(), limit)
    .toLowerCase()
    .replace(/-[a-z]{3}$/, '');
}

/** Query parameters of a URL, bounded before they are decoded; the first value of a name counts. */
export function parseQuery(
  search: string,
  limits: { params: number; key: number; value: number },
): Map<string, string> {
  const query = new Map<string, string>();
  let from = 0;
  while (from < search.length && query.size < limits.params) {
    const end = search.indexOf('&', from);
    const part = search.slice(from, end === -1 ? search.length : end);
    from = end === -1 ? search.length : end + 1;
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = cut(decode(equals === -1 ? part : part.slice(0, equals), limits.key), limits.key);
    const value = equals === -1 ? '' : cut(decode(part.slice(equals + 1), limits.value), limits.value);
    if (!query.has(name)) query.set(name, value);
  }
  return query;
}

/** Percent-decoding that never throws: an escape that is none stays as it is. One code unit never needs more than nine bytes of text. */
function decode(text: string, limit: number): string {
  const bounded = text.length > limit * 9 ? text.slice(0, limit * 9) : text;
  if (!bounded.includes('%')) return bounded.includes('+') ? bounded.replaceAll('+', ' ') : bounded;
  const spaced = bounded.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
    );
  }
}
