/** The form of lines that core's decoders of server logs read: text, or JSON as a server writes it. */
import {
  clientAddress,
  isReject,
  type LineParser,
  type LineReject,
  type LogRecord,
  parseTrustedProxies,
} from '@ghostlight/core/log-formats';
import { ServiceError } from '../../common/index.ts';
import { type Observing, observe } from '../fields/observe.ts';
import type { VisitRecord } from '../fields/record.ts';
import { saidOfAll } from '../shippers/request.ts';
import { type LineForm, type Passed, type SourceRequest, Unreadable } from '../source.ts';

const NOT_A_VISIT: Passed = { drop: 'not_a_visit' };
const CARRIAGE_RETURN = 0x0d;

type TextLine = LogRecord | Passed;

/** What a line is called that a decoder refuses, by the decoder's reason. */
const UNREADABLE = new Map<LineReject, Unreadable>();

function unreadable(reason: LineReject): Unreadable {
  let known = UNREADABLE.get(reason);
  if (known === undefined) {
    known = new Unreadable('unreadable', reason);
    UNREADABLE.set(reason, known);
  }
  return known;
}

/** @param options `memberOf` reads what a line's decoder leaves to its source */
export function textLines(
  parser: LineParser,
  options: Omit<Observing, 'attributionId' | 'now'> & { readonly addressOf?: (line: LogRecord) => string },
): LineForm<TextLine> {
  const { addressOf = (line) => line.ip } = options;
  return {
    parse(lines, start, end) {
      const last = end > start && lines[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
      const parsed = parser.parseLine(lines.toString('utf8', start, last));
      if (parsed === null || !isReject(parsed)) return parsed;
      return parsed.reject === 'not_a_request' ? NOT_A_VISIT : unreadable(parsed.reject);
    },
    traces: () => null,
    agentIn: () => undefined,
    decode: (line, attributionId, now) =>
      'drop' in line ? line : observe(visitOf(line, addressOf(line)), { ...options, attributionId, now }),
  };
}

export function visitOf(line: LogRecord, ip: string): VisitRecord {
  return {
    time: line.timestamp,
    host: line.host,
    method: line.method,
    target: line.pathname,
    ip,
    userAgent: line.user_agent,
    referrer: line.referer,
    status: line.status,
    bytes: line.bytes,
    country: line.country,
    asn: line.asn,
    requestId: line.request_id,
    scheme: line.scheme,
    signature: line.signature,
    signatureInput: line.signature_input,
    signatureAgent: line.signature_agent,
  };
}

/**
 * What a request's address says of lines that a server wrote: also which proxies stand before it.
 * @throws ServiceError `invalid`
 */
export function saidOfServer(request: SourceRequest) {
  const text = request.parameters.get('trusted_proxies');
  const trusted = text === null ? null : parseTrustedProxies(text);
  if (text !== null && trusted === null)
    throw new ServiceError(
      'invalid',
      'trusted_proxies is a number of proxies, or prefixes such as 10.0.0.0/8.',
    );
  return { ...saidOfAll(request), addressOf: (line: LogRecord): string => clientAddress(line, trusted) };
}
