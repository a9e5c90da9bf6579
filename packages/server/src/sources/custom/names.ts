/** What generic JSON calls the members of a visit, and how its owner says that theirs are called otherwise. */
import { z } from '@hono/zod-openapi';
import type { LogRecord, Names } from '../fields/record.ts';

/** Our word for a member, as a mapping names it. */
export const MEMBERS = {
  timestamp: 'time',
  host: 'host',
  path: 'target',
  query: 'query',
  method: 'method',
  status: 'status',
  ip: 'ip',
  user_agent: 'userAgent',
  referer: 'referrer',
  bytes: 'bytes',
  country: 'country',
  asn: 'asn',
  request_id: 'requestId',
  waf_action: 'wafAction',
  attribution_id: 'attributionId',
  sample_rate: 'loggedShare',
} as const satisfies Readonly<Record<string, keyof LogRecord>>;

/**
 * The first of each are Profound's (`status_code`, `query_params`, `bytes_sent`) and Scrunch's (`domain`, `url`), as they come; then what
 * shippers make of nginx's and Apache's lines, and common names of applications.
 */
export const CUSTOM_NAMES: Names = {
  time: ['timestamp', 'time', '@timestamp', 'ts', 'date', 'datetime', 'msec', 'time_iso8601'],
  host: ['host', 'domain', 'hostname', 'http_host', 'server_name', 'vhost', 'request_host'],
  // A URL says more than a path.
  target: ['url', 'request_uri', 'uri', 'path', 'pathname', 'request_path'],
  query: ['query_params', 'query_string', 'query', 'args'],
  method: ['method', 'request_method', 'http_method'],
  status: ['status_code', 'status', 'statusCode', 'code', 'response_status'],
  ip: ['ip', 'client_ip', 'clientIp', 'ip_address', 'remote_addr', 'client', 'remote'],
  userAgent: ['user_agent', 'userAgent', 'ua', 'agent', 'http_user_agent'],
  referrer: ['referer', 'referrer', 'http_referer'],
  bytes: ['bytes_sent', 'bytes', 'body_bytes_sent', 'size', 'response_bytes'],
  country: ['country', 'country_code'],
  asn: ['asn'],
  requestId: ['request_id', 'requestId', 'ray_id', 'cf_ray'],
  wafAction: ['waf_action'],
  attributionId: ['attribution_id'],
  loggedShare: ['sample_rate'],
};

const nameSchema = z.string().trim().min(1).max(200);
/** Our word → the sender's name, or several of which the first that is there counts. */
export const mappingSchema = z
  .partialRecord(
    z.enum(Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]),
    z.union([nameSchema, z.array(nameSchema).min(1).max(8)]),
  )
  .openapi({ example: { timestamp: 'time', path: 'request.uri', ip: ['client.ip', 'remote_addr'] } });

/** What the owner states comes before what is common. */
export function namesBy(mapping: unknown): Names {
  const stated = mappingSchema.safeParse(mapping);
  if (!stated.success) return CUSTOM_NAMES;
  const names: Record<string, readonly string[]> = { ...CUSTOM_NAMES };
  for (const [word, name] of Object.entries(stated.data)) {
    const member = MEMBERS[word as keyof typeof MEMBERS];
    names[member] = [name].flat().concat(CUSTOM_NAMES[member] ?? []);
  }
  return names;
}
