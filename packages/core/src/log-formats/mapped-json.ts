/** JSON lines of any server: each field of a record is looked for in the places that a mapping names. */
import { type JsonObject, memberAt, parseJsonLine, textOf } from './json-line.ts';
import {
  type FormatOptions,
  type LineParser,
  type LogRecord,
  type Mapping,
  type RecordField,
  type Reject,
  reject,
} from './record.ts';
import { parseRequestLine, parseTarget, type RequestLine } from './request-line.ts';
import { addressOf, countOf, statusOf, withoutPort } from './texts.ts';
import { parseAnyTime, wallClock } from './times.ts';

/** The names of the `log_format` that docs/tail-and-import.md has for nginx. */
export const NGINX_MAPPING: Mapping = {
  timestamp: ['msec', 'time'],
  host: ['host'],
  method: ['method'],
  pathname: ['uri'],
  user_agent: ['ua'],
  referer: ['referer'],
  status: ['status'],
  bytes: ['bytes'],
  ip: ['remote_addr'],
  forwarded_for: ['xff'],
  request_id: ['request_id'],
  country: ['country'],
  asn: ['asn'],
  scheme: ['https'],
  accept: ['accept'],
  signature: ['signature'],
  signature_input: ['signature_input'],
  signature_agent: ['signature_agent'],
};

/** Apache knows the raw address as part of the request line alone. */
export const APACHE_MAPPING: Mapping = { ...NGINX_MAPPING, pathname: [], method: [], request: ['request'] };

/** Names that servers, shippers and applications use; the first that a line has counts. */
export const USUAL_MAPPING: Mapping = {
  timestamp: [
    'timestamp',
    '@timestamp',
    'time',
    'ts',
    'msec',
    'time_iso8601',
    'time_local',
    'date',
    'datetime',
  ],
  host: [
    'host',
    'http_host',
    'vhost',
    'server_name',
    'domain',
    'url.domain',
    'server.address',
    'request.host',
  ],
  method: ['method', 'request_method', 'http_method', 'http.request.method', 'request.method', 'verb'],
  pathname: [
    ...['pathname', 'request_uri', 'uri', 'path', 'url', 'target', 'request_path'],
    ...['url.original', 'url.path', 'http.target', 'request.uri', 'request.url'],
  ],
  request: ['request', 'request_line'],
  user_agent: [
    ...['user_agent', 'ua', 'http_user_agent', 'userAgent', 'useragent', 'agent'],
    ...['user_agent.original', 'http.useragent', 'request.headers.User-Agent', 'headers.user-agent'],
  ],
  referer: [
    ...['referer', 'referrer', 'http_referer', 'http_referrer', 'http.request.referrer'],
    ...['http.request.header.referer', 'request.headers.Referer', 'headers.referer'],
  ],
  status: ['status', 'status_code', 'statusCode', 'response', 'http.response.status_code', 'response.status'],
  bytes: ['bytes', 'bytes_sent', 'body_bytes_sent', 'size', 'response_size', 'http.response.body.bytes'],
  ip: ['ip', 'client_ip', 'clientIp', 'remote_addr', 'remote_ip', 'client.address', 'client.ip', 'source.ip'],
  forwarded_for: ['forwarded_for', 'xff', 'x_forwarded_for', 'http_x_forwarded_for'],
  request_id: ['request_id', 'requestId', 'ray_id', 'trace_id', 'http.request.id'],
  country: ['country', 'country_code', 'geoip_country_code', 'client.geo.country_iso_code'],
  asn: ['asn', 'client.as.number'],
  scheme: ['scheme', 'https', 'url.scheme'],
  accept: ['accept', 'http_accept', 'http.request.header.accept'],
  signature: ['signature', 'http_signature', 'http.request.header.signature'],
  signature_input: ['signature_input', 'http_signature_input', 'http.request.header.signature-input'],
  signature_agent: ['signature_agent', 'http_signature_agent', 'http.request.header.signature-agent'],
};

const NO_TARGET: RequestLine = { method: '', pathname: '', host: '', scheme: '' };

/** @param options `mapping`: where it names a field, its places alone count for that field */
export function mappedParser(options: FormatOptions, usual: Mapping = USUAL_MAPPING): LineParser {
  const mapping: Mapping = { ...usual, ...options.mapping };
  const zone = wallClock(options.timeZone);
  const { host = '' } = options;

  const find = (line: JsonObject, field: RecordField): unknown => {
    for (const path of mapping[field] ?? []) {
      const value = memberAt(line, path);
      if (value !== undefined && value !== null && value !== '') return value;
    }
    return undefined;
  };

  /** Null: no page was asked for. */
  const requestOf = (line: JsonObject): RequestLine | null => {
    const method = textOf(find(line, 'method'));
    const target = textOf(find(line, 'pathname'));
    if (target !== '') return parseTarget(method, target);
    const whole = textOf(find(line, 'request'));
    return whole === '' ? NO_TARGET : parseRequestLine(whole);
  };

  const parseLine = (text: string): LogRecord | Reject | null => {
    const line = parseJsonLine(text);
    if (line === null) return null;
    if (typeof line === 'string') return reject(line);
    const timestamp = parseAnyTime(find(line, 'timestamp'), zone);
    if (timestamp === null) return reject('no_time');
    const request = requestOf(line);
    if (request === null || request === NO_TARGET) return reject('not_a_request');
    const status = statusOf(textOf(find(line, 'status')));
    if (status === null) return reject('no_status');
    const bytes = countOf(textOf(find(line, 'bytes')));
    if (bytes === null) return reject('no_bytes');
    return {
      timestamp,
      host: textOf(find(line, 'host')) || host || request.host,
      method: request.method,
      pathname: request.pathname,
      user_agent: textOf(find(line, 'user_agent')),
      referer: textOf(find(line, 'referer')),
      status,
      bytes,
      ip: addressOf(withoutPort(textOf(find(line, 'ip')))),
      forwarded_for: textOf(find(line, 'forwarded_for')),
      request_id: textOf(find(line, 'request_id')),
      country: textOf(find(line, 'country')),
      asn: countOf(textOf(find(line, 'asn'))) ?? 0,
      scheme: schemeOf(find(line, 'scheme')) || request.scheme,
      accept: textOf(find(line, 'accept')),
      signature: textOf(find(line, 'signature')),
      signature_input: textOf(find(line, 'signature_input')),
      signature_agent: textOf(find(line, 'signature_agent')),
    };
  };
  return { parseLine, columns: () => null };
}

/** nginx's `$https` is `on` or empty. */
function schemeOf(value: unknown): LogRecord['scheme'] {
  if (value === 'https' || value === 'on' || value === true || value === 'true') return 'https';
  return value === 'http' || value === 'off' || value === false || value === 'false' ? 'http' : '';
}
