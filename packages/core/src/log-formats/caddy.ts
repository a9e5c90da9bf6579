/** Caddy's access log, JSON as it comes: nothing has to be configured, and the headers of signed requests are in it. */
import { type JsonObject, parseJsonLine, textOf } from './json-line.ts';
import { type FormatOptions, type LineParser, type LogRecord, type Reject, reject } from './record.ts';
import { parseTarget } from './request-line.ts';
import { addressOf, countOf, statusOf, withoutPort } from './texts.ts';
import { parseAnyTime, wallClock } from './times.ts';

const HANDLED = 'handled request';

export function caddyParser({ host = '', timeZone }: FormatOptions): LineParser {
  const zone = wallClock(timeZone);
  const parseLine = (text: string): LogRecord | Reject | null => {
    const line = parseJsonLine(text);
    if (line === null) return null;
    if (typeof line === 'string') return reject(line);
    const asked = line['request'];
    // A message of the server itself, or a line of another program.
    if (typeof asked !== 'object' || asked === null)
      return reject('msg' in line ? 'not_a_request' : 'other_format');
    // A request that failed on its way is logged as an error besides.
    if (line['msg'] !== HANDLED) return reject('not_a_request');
    const request = asked as JsonObject;
    const timestamp = parseAnyTime(line['ts'], zone);
    if (timestamp === null) return reject('no_time');
    const target = parseTarget(textOf(request['method']), textOf(request['uri']));
    if (target === null) return reject('not_a_request');
    const status = statusOf(textOf(line['status']));
    if (status === null) return reject('no_status');
    const bytes = countOf(textOf(line['size']));
    if (bytes === null) return reject('no_bytes');
    const header = headersOf(request['headers']);
    return {
      timestamp,
      host: textOf(request['host']) || host || target.host,
      method: target.method,
      pathname: target.pathname,
      user_agent: header('User-Agent'),
      referer: header('Referer'),
      status,
      bytes,
      ip: addressOf(clientOf(request)),
      forwarded_for: header('X-Forwarded-For'),
      request_id: textOf(line['uuid']) || textOf(line['request_id']),
      country: '',
      asn: 0,
      scheme: typeof request['tls'] === 'object' && request['tls'] !== null ? 'https' : 'http',
      accept: header('Accept'),
      signature: header('Signature'),
      signature_input: header('Signature-Input'),
      signature_agent: header('Signature-Agent'),
    };
  };
  return { parseLine, columns: () => null };
}

/** Since 2.7 Caddy says who the client is behind trusted proxies; before 2.5 it wrote address and port as one. */
const clientOf = (request: JsonObject): string =>
  textOf(request['client_ip']) || textOf(request['remote_ip']) || withoutPort(textOf(request['remote_addr']));

/** Names of headers come in the form of Go's library, whatever the client wrote. */
function headersOf(headers: unknown): (name: string) => string {
  if (typeof headers !== 'object' || headers === null) return () => '';
  return (name) => (Object.hasOwn(headers, name) ? textOf((headers as JsonObject)[name]) : '');
}
