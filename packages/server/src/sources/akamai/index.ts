/** Akamai DataStream 2 to a custom HTTPS endpoint, as JSON. Also the older Cloud Monitor's form. */
import { z } from '@hono/zod-openapi';
import type { Names, VisitRecord } from '../fields/record.ts';
import { isEmpty, lenientAnswer } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { LinesSource } from '../source.ts';

const NAMES: Names = {
  time: ['reqTimeSec', 'start'],
  host: ['reqHost', 'message.reqHost'],
  target: ['reqPath', 'message.reqPath'],
  query: ['queryStr', 'message.reqQuery'],
  method: ['reqMethod', 'message.reqMethod'],
  status: ['statusCode', 'message.status'],
  bytes: ['bytes', 'message.bytes'],
  ip: ['cliIP', 'message.cliIP'],
  userAgent: ['UA', 'message.UA'],
  referrer: ['referer', 'reqReferer', 'message.referer'],
  country: ['country', 'geo.country'],
  asn: ['asn', 'netPerf.asnum'],
  requestId: ['reqId', 'id'],
};

export const akamai: LinesSource = {
  about: {
    name: 'akamai',
    title: 'Akamai',
    inSentences: 'Akamai',
    keyHint: 'for a stream of Akamai DataStream 2',
    addressField: 'cliIP',
    kind: 'log',
    group: 'edge',
    summary: 'DataStream 2 to a custom HTTPS endpoint.',
    latestVersion: null,
    misspelled: /akamai|datastream/i,
    setup: {
      slug: 'akamai',
      about: 'DataStream 2 posts the log of your properties every 30 or 60 seconds.',
      steps: [
        {
          title: 'Create a stream',
          text: [
            'Data sets: request time, request ID, client IP, HTTP status code, request method, request host, request path, query string, user agent, referer, bytes, country, ASN. Log format: JSON.',
            'Destination: custom HTTPS, authentication Basic. Any user name; the password is the key. Send compressed data. “Validate & Save” posts a sample, which gets a 2xx response and is not counted.',
          ],
          snippets: [
            {
              title: 'Endpoint URL',
              template: '{{base_url}}/v1/logs/akamai?attribution_id={{attribution_id}}',
            },
            { title: 'Password', template: '{{key}}' },
          ],
        },
      ],
    },
  },
  auth: ANY_FORM,
  document: {
    summary: 'Lines of Akamai DataStream 2 as JSON',
    query: COMMON_QUERY,
    contentType: 'application/json',
    body: z.object({}).loose(),
    problems: { 422: 'sample_rate is not a share' },
  },
  answer: lenientAnswer,
  transport: 'lines',
  form: (request) =>
    jsonRecords({ source: 'akamai', names: NAMES, ...saidOfAll(request), refine: withoutEscapes }),
  addressed,
  isTest: isEmpty,
};

/**
 * What is no plain ASCII is percent-encoded, blanks among it. Paths and queries are so anyway, and stay as
 * they were asked for. A field without a value is left out: so is the path of a front page.
 */
function withoutEscapes(record: VisitRecord): VisitRecord {
  const { target = record.host === undefined ? undefined : '/' } = record;
  return { ...record, target, userAgent: decoded(record.userAgent), referrer: decoded(record.referrer) };
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
