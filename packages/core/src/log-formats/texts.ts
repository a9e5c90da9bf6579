/** How servers write texts into lines: what they escape, and `-` for nothing. */
import { parseIp } from '../ip.ts';

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** A run of bytes together: one character may be several of them. */
const ESCAPES = /(?:\\x[0-9a-fA-F]{2})+|\\[\s\S]/g;
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  v: '\v',
  f: '\f',
  '"': '"',
  '\\': '\\',
};

/**
 * Takes back what nginx (`\x22`, `\xC3\xA9`) and Apache (`\"`, `\\`, `\n`, `\xc3`) escape. Bytes that are no UTF-8 become U+FFFD; a backslash that
 * escapes nothing stays.
 */
export function unescapeLog(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPES, (run) =>
    run.length >= 4 ? bytesOf(run.replaceAll('\\x', '')) : (CONTROLS[run[1] ?? ''] ?? run),
  );
}

/**
 * Apache writes JSON that its escapes break: `\xhh` and `\v` are none of JSON's. @returns the same text with escapes that JSON knows
 */
export function jsonEscapes(text: string): string {
  return text.replace(ESCAPES, (run) => {
    if (run.length >= 4) return JSON.stringify(bytesOf(run.replaceAll('\\x', ''))).slice(1, -1);
    return run === '\\v' ? '\\u000b' : run;
  });
}

const HASHES = /(?:#[0-9a-fA-F]{2})+/g;

/** HAProxy's escapes: `#22`. */
export function unescapeHash(text: string): string {
  return text.includes('#') ? text.replace(HASHES, (run) => bytesOf(run.replaceAll('#', ''))) : text;
}

const PERCENTS = /(?:%[0-9a-fA-F]{2})+/g;

/** Percent-decoding that never throws: an escape that is none stays. */
export function unescapePercent(text: string): string {
  return text.includes('%') ? text.replace(PERCENTS, (run) => bytesOf(run.replaceAll('%', ''))) : text;
}

/** @param hex pairs of digits */
function bytesOf(hex: string): string {
  const only = hex.length === 2 ? Number.parseInt(hex, 16) : 0xff;
  // Blanks and quotes are most of what is escaped.
  if (only < 0x80) return String.fromCharCode(only);
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return DECODER.decode(bytes);
}

/** Nothing is written as `-`. */
export const orEmpty = (text: string): string => (text === '-' ? '' : text);

const ADDRESS = /^[0-9a-fA-F:.]{2,45}$/;

/** An address, or nothing: logs may hold the client's name instead, or the name of a socket. */
export const addressOf = (text: string): string => (ADDRESS.test(text) ? text : '');

/** Whether a text holds nothing but addresses, as `X-Forwarded-For` does. */
export const isForwardedFor = (text: string): boolean =>
  text.length <= MAX_FORWARDED && text.split(',').every((part) => parseIp(withoutPort(part)) !== null);

const MAX_FORWARDED = 1024;

/** `203.0.113.9:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]` without brackets and port. */
export function withoutPort(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return trimmed.slice(1, Math.max(1, trimmed.indexOf(']')));
  const colon = trimmed.indexOf(':');
  return colon !== -1 && colon === trimmed.lastIndexOf(':') ? trimmed.slice(0, colon) : trimmed;
}

const STATUS = /^\d{1,3}$/;
const COUNT = /^\d{1,16}$/;

/** `000`, `-1` and `-` are no answer. @returns null for what is no status */
export function statusOf(text: string): number | null {
  if (text === '-' || text === '-1' || text === '') return 0;
  return STATUS.test(text) ? Number(text) : null;
}

/** `-` is 0. @returns null for what is no number */
export function countOf(text: string): number | null {
  if (text === '-' || text === '') return 0;
  return COUNT.test(text) ? Number(text) : null;
}
