/**
 * The formats that nginx and Apache write by default: `combined`, with the host before it (`vhost_combined`), with more behind it, and `common`,
 * which has no user agent and so shows no bot.
 *
 *     203.0.113.9 - - [22/Nov/2026:04:27:31 +0000] "GET / HTTP/1.1" 200 612 "https://chatgpt.com/" "Mozilla/5.0"
 */
import { parseIp } from '../ip.ts';
import { type FormatOptions, type LineParser, type LogRecord, type Reject, reject } from './record.ts';
import { parseRequestLine } from './request-line.ts';
import { addressOf, countOf, isForwardedFor, orEmpty, statusOf, unescapeLog } from './texts.ts';
import { CLF_LENGTH, parseClfTime } from './times.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const BLANK = /^\s*$/;

/** `combined` takes no line without a user agent: such a line may be one that was cut. `common` takes no other. */
export function combinedParser({ host = '' }: FormatOptions, kind: 'combined' | 'common'): LineParser {
  let lastTime = '';
  let lastAt: number | null = null;
  /** Lines of one second have the same text. */
  const timeAt = (line: string, at: number): number | null => {
    if (lastAt !== null && line.startsWith(lastTime, at)) return lastAt;
    lastAt = parseClfTime(line, at);
    if (lastAt !== null) lastTime = line.slice(at, at + CLF_LENGTH);
    return lastAt;
  };

  const parseLine = (line: string): LogRecord | Reject | null => {
    const bracket = timeBracket(line);
    if (bracket < 0) return headless(line);
    const timestamp = timeAt(line, bracket + 1);
    if (timestamp === null) return reject('no_time');

    const from = bracket + CLF_LENGTH + 4;
    if (line.length < from) return reject('truncated');
    if (line.charCodeAt(from - 1) !== QUOTE || line.charCodeAt(from - 2) !== SPACE)
      return reject('other_format');
    const requestEnd = closingQuote(line, from);
    if (requestEnd < 0) return reject('truncated');

    const statusEnd = line.indexOf(' ', requestEnd + 2);
    if (statusEnd < 0) return reject('truncated');
    const status = statusOf(line.slice(requestEnd + 2, statusEnd));
    if (status === null) return reject('no_status');
    const space = line.indexOf(' ', statusEnd + 1);
    const bytesEnd = space < 0 ? line.length : space;
    const bytes = countOf(line.slice(statusEnd + 1, bytesEnd).trimEnd());
    if (bytes === null) return reject('no_bytes');

    let referer = '';
    let userAgent = '';
    let forwardedFor = '';
    if (kind === 'common') {
      if (line.slice(bytesEnd).trim() !== '') return reject('other_format');
    } else {
      const refererEnd = quotedFrom(line, bytesEnd + 1);
      if (refererEnd < 0) return reject('truncated');
      const agentEnd = quotedFrom(line, refererEnd + 2);
      if (agentEnd < 0) return reject('truncated');
      referer = orEmpty(unescapeLog(line.slice(bytesEnd + 2, refererEnd)));
      userAgent = orEmpty(unescapeLog(line.slice(refererEnd + 3, agentEnd)));
      const more = moreOf(line, agentEnd + 1);
      if (more === null) return reject('truncated');
      forwardedFor = more;
    }

    const request = parseRequestLine(unescapeLog(line.slice(from, requestEnd)));
    if (request === null) return reject('not_a_request');
    const head = headOf(line.slice(0, bracket - 1));
    return {
      timestamp,
      host: head.host || host || request.host,
      method: request.method,
      pathname: request.pathname,
      user_agent: userAgent,
      referer,
      status,
      bytes,
      ip: addressOf(head.address),
      forwarded_for: forwardedFor,
      request_id: '',
      country: '',
      asn: 0,
      scheme: request.scheme,
      accept: '',
      signature: '',
      signature_input: '',
      signature_agent: '',
    };
  };
  return { parseLine, columns: () => null };
}

/** Where the time begins: a user's name may hold a bracket too. */
function timeBracket(line: string): number {
  let at = line.indexOf(' [');
  while (at !== -1) {
    if (line.charCodeAt(at + 2 + CLF_LENGTH) === CLOSE_BRACKET) return at + 1;
    at = line.indexOf(' [', at + 1);
  }
  return -1;
}

/** A line without a whole time in brackets. */
function headless(line: string): Reject | null {
  if (BLANK.test(line)) return null;
  const at = line.lastIndexOf(' [');
  return reject(at !== -1 && line.length - at < CLF_LENGTH + 3 ? 'truncated' : 'other_format');
}

/** The quote that ends a text; -1: none does. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1) {
    let slashes = 0;
    while (at - 1 - slashes >= from && line.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
    at = line.indexOf('"', at + 1);
  }
  return -1;
}

/** The end of a text whose quote is at `at`. */
const quotedFrom = (line: string, at: number): number =>
  line.charCodeAt(at) === QUOTE && line.charCodeAt(at - 1) === SPACE ? closingQuote(line, at + 1) : -1;

/**
 * The text after the user agent. nginx's own packages are configured to write `X-Forwarded-For` there, so the first text in quotes is it where it
 * holds addresses. @returns null where a text is not closed
 */
function moreOf(line: string, at: number): string | null {
  if (at >= line.length) return '';
  const quote = line.indexOf('"', at);
  if (quote === -1) return '';
  const end = closingQuote(line, quote + 1);
  if (end < 0) return null;
  const text = line.slice(quote + 1, end);
  // Of what follows it matters only whether it is whole.
  for (let next = line.indexOf('"', end + 1); next !== -1; next = line.indexOf('"', next + 1)) {
    next = closingQuote(line, next + 1);
    if (next < 0) return null;
  }
  return isForwardedFor(text) ? text : '';
}

const PORT = /^(.+):\d{1,5}$/;

/** `address ident user`, or `host:port address ident user`. The port is the one that the server listens on, which is no part of the visitor's host. */
function headOf(text: string): { host: string; address: string } {
  const first = text.indexOf(' ');
  if (first === -1) return { host: '', address: text };
  const word = text.slice(0, first);
  const [, name] = PORT.exec(word) ?? [];
  if (name === undefined || parseIp(word) !== null) return { host: '', address: word };
  const second = text.indexOf(' ', first + 1);
  return { host: name, address: text.slice(first + 1, second === -1 ? text.length : second) };
}
