/** What generic JSON calls the members of a visit, and how its owner says that theirs are called otherwise. */
import { USUAL_MAPPING } from '@ghostlight/core/log-formats';
import { z } from '@hono/zod-openapi';
import type { Names, VisitRecord } from '../fields/record.ts';

/** Our word for a member, as a mapping names it: the command line's words, and what only a service gets. */
export const MEMBERS = {
  timestamp: 'time',
  host: 'host',
  pathname: 'target',
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
  scheme: 'scheme',
  signature: 'signature',
  signature_input: 'signatureInput',
  signature_agent: 'signatureAgent',
} as const satisfies Readonly<Record<string, keyof VisitRecord>>;

/**
 * Names that are usual everywhere, and besides what Profound (`status_code`, `query_params`, `bytes_sent`) and Scrunch (`domain`, `url`) are
 * sent, and what shippers make of nginx's and Apache's lines. A URL says more than a path.
 */
export const CUSTOM_NAMES: Names = {
  time: usual('timestamp'),
  host: [...usual('host'), 'hostname', 'request_host'],
  target: ['url', ...usual('pathname')],
  query: ['query_params', 'query_string', 'query', 'args', 'url.query'],
  method: usual('method'),
  status: [...usual('status'), 'code', 'response_status'],
  ip: [...usual('ip'), 'ip_address', 'client', 'remote'],
  userAgent: usual('user_agent'),
  referrer: usual('referer'),
  bytes: [...usual('bytes'), 'response_bytes'],
  country: usual('country'),
  asn: usual('asn'),
  requestId: [...usual('request_id'), 'cf_ray'],
  wafAction: ['waf_action'],
  attributionId: ['attribution_id'],
  loggedShare: ['sample_rate'],
  scheme: usual('scheme'),
  signature: usual('signature'),
  signatureInput: usual('signature_input'),
  signatureAgent: usual('signature_agent'),
};

function usual(field: keyof typeof USUAL_MAPPING): readonly string[] {
  return USUAL_MAPPING[field] ?? [];
}

const nameSchema = z.string().trim().min(1).max(200);
/** Our word → the sender's name, or several of which the first that is there counts. */
export const mappingSchema = z
  .partialRecord(
    z.enum(Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]),
    z.union(
      [nameSchema, z.array(nameSchema).min(1).max(8)],
      'Enter the name of your field, or a list of at most 8.',
    ),
  )
  .openapi({ example: { timestamp: 'time', pathname: 'request.uri', ip: ['client.ip', 'remote_addr'] } });

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
