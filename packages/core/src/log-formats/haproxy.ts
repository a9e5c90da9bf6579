/**
 * HAProxy's `option httplog`, with or without what syslog puts before it. Host, user agent and referrer are in it only where the configuration
 * captures these headers, and the line does not name them: their order is an option.
 *
 *     haproxy[389]: 203.0.113.9:4711 [22/Nov/2026:04:27:31.655] www~ app/s1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.example|GPTBot} "GET / HTTP/1.1"
 */
import { type FormatOptions, type LineParser, type LogRecord, type Reject, reject } from './record.ts';
import { parseRequestLine } from './request-line.ts';
import { addressOf, countOf, orEmpty, statusOf, unescapeHash } from './texts.ts';
import { parseClfWall, wallClock } from './times.ts';

/** ` client:port [time] frontend backend/server timers status bytes cookies … queues captures "request"`. */
const TIME = /(?:^|\s)(\S+) \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d)\.(\d{3})\] /;
/** Behind the time, up to where the captured headers begin. */
const FIXED = /^(\S+) \S+ \S+ (-?\d+) \+?(\d+) \S+ \S+ \S+ [\d+/]+ [\d/]+ ?/;
const OWN_MESSAGE = /haproxy\[\d+\]: /;
const BLANK = /^\s*$/;

export function haproxyParser({ host = '', timeZone, captures = [] }: FormatOptions): LineParser {
  const zone = wallClock(timeZone);
  const parseLine = (line: string): LogRecord | Reject | null => {
    if (BLANK.test(line)) return null;
    const head = TIME.exec(line);
    if (head === null) return reject(OWN_MESSAGE.test(line) ? 'not_a_request' : 'other_format');
    const [all, client = '', time = '', millis = ''] = head;
    const wall = parseClfWall(time, 0);
    if (wall === null) return reject('no_time');
    const rest = line.slice(head.index + all.length);
    // No text before the request can hold a quote: headers have theirs escaped.
    const quote = rest.indexOf('"');
    const end = quote === -1 ? -1 : rest.indexOf('"', quote + 1);
    if (end === -1) return reject('truncated');
    const fixed = FIXED.exec(rest);
    if (fixed === null) return reject('other_format');
    const [before, frontend = '', code = '', size = ''] = fixed;
    const status = statusOf(code);
    if (status === null) return reject('no_status');
    const bytes = countOf(size);
    if (bytes === null) return reject('no_bytes');
    const request = parseRequestLine(unescapeHash(rest.slice(quote + 1, end)));
    if (request === null) return reject('not_a_request');
    const header = captured(rest.slice(before.length, quote), captures);
    return {
      timestamp: zone(wall) + Number(millis),
      host: header('host') || host || request.host,
      method: request.method,
      pathname: request.pathname,
      user_agent: header('user-agent'),
      referer: header('referer'),
      status,
      bytes,
      ip: addressOf(client.slice(0, Math.max(0, client.lastIndexOf(':')))),
      forwarded_for: header('x-forwarded-for'),
      request_id: header('x-request-id'),
      country: '',
      asn: 0,
      // A tilde behind the frontend's name: the client came by TLS.
      scheme: request.scheme || (frontend.endsWith('~') ? 'https' : ''),
      accept: header('accept'),
      signature: header('signature'),
      signature_input: header('signature-input'),
      signature_agent: header('signature-agent'),
    };
  };
  return { parseLine, columns: () => null };
}

/** @param text `{a|b} {c}`: headers of the request, then of the answer */
function captured(text: string, names: readonly string[]): (name: string) => string {
  const open = text.indexOf('{');
  const close = text.indexOf('}', open);
  const values = open === -1 || close === -1 ? [] : text.slice(open + 1, close).split('|');
  return (name) => orEmpty(unescapeHash(values[names.indexOf(name)] ?? ''));
}
