/** What our own senders post: visits in one shape wherever they were seen, and how many other requests there were. */
import { z } from '@hono/zod-openapi';
import { CLAIM_MEMBERS, claimsOf } from '../fields/claims.ts';
import type { Observing } from '../fields/observe.ts';
import type { Names } from '../fields/record.ts';
import type { JsonLine } from '../json-lines/form.ts';
import { isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { Decoded, LineForm, LinesSource, Settled, SourceAnswer, SourceRequest } from '../source.ts';
import { countedOf } from './counted.ts';

const NAMES: Names = {
  time: ['timestamp'],
  host: ['host'],
  method: ['method'],
  target: ['pathname'],
  ip: ['ip'],
  userAgent: ['user_agent'],
  referrer: ['referer'],
  status: ['status'],
  bytes: ['bytes'],
  country: ['country'],
  asn: ['asn'],
  requestId: ['request_id'],
  attributionId: ['attribution_id'],
  scheme: ['scheme'],
  signature: ['signature'],
  signatureInput: ['signature_input'],
  signatureAgent: ['signature_agent'],
};

/** @param options what holds for all lines of the source */
export function visits(
  request: SourceRequest,
  options: Pick<Observing, 'source' | 'maxAgeMs'>,
): LineForm<JsonLine> {
  const said = saidOfAll(request);
  return jsonRecords({
    ...options,
    ...said,
    names: NAMES,
    also: ['counted', ...CLAIM_MEMBERS],
    refine: (record, line, now) =>
      'counted' in line ? countedOf(line['counted'], { ...said, maxAgeMs: options.maxAgeMs, now }) : record,
  });
}

/** The same of a sender that checks visits itself, as a collector does, and draws samples. @param source its name */
export function checkedVisits(request: SourceRequest, source: string): LineForm<JsonLine> {
  const form = visits(request, { source });
  return {
    ...form,
    decode: (line, attributionId, now) => withClaims(form.decode(line, attributionId, now), line),
  };
}

function withClaims(decoded: Decoded, line: JsonLine): Decoded {
  if (!('hit' in decoded)) return decoded;
  const claims = claimsOf(line);
  if ('reason' in claims) return claims;
  // Beside a signature that is still to be verified, the member is the field of the request.
  const signatureAgent = claims.edgeVerifiedBy === 'signature' ? claims.signatureAgent : '';
  return { ...decoded, hit: { ...decoded.hit, ...claims, signatureAgent } };
}

/** The command adds up what became of its visits, so it gets a report each time. */
export function answer({ received, rejected, alreadyTaken, report }: Settled): SourceAnswer {
  const told = report();
  const duplicate = alreadyTaken ? received - rejected - told.dropped : told.duplicate;
  return { status: 200, json: { ...told, duplicate } };
}

/** What both commands' sources have in common. */
export const COMMAND: Pick<
  LinesSource,
  'auth' | 'answer' | 'transport' | 'counts' | 'addressed' | 'isTest' | 'alsoTakes' | 'document'
> = {
  auth: ANY_FORM,
  answer,
  transport: 'lines',
  counts: () => 'records',
  addressed,
  isTest: isEmpty,
  alsoTakes: ['GET', 'HEAD'],
  document: {
    summary: 'Visits of ghostlight-tail: NDJSON, at most 1,040 MiB',
    query: COMMON_QUERY,
    contentType: 'application/x-ndjson',
    body: z.object({}).loose(),
    problems: { 422: 'sample_rate is not a share' },
  },
};
