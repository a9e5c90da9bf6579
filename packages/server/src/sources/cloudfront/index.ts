/** CloudFront: real-time logs and standard logs (v2), both by Data Firehose. */
import { z } from '@hono/zod-openapi';
import { addressedAttributionId } from '../fields/address.ts';
import { BEARER, IN_ADDRESS } from '../shippers/auth.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { LinesSource, SourceAnswer, SourceRequest } from '../source.ts';
import { textLines } from '../text-lines/form.ts';
import { cloudfrontParser, DEFAULT_FIELDS } from './decode.ts';
import { Firehose } from './firehose.ts';

const ACCESS_KEY = { place: 'header', name: 'X-Amz-Firehose-Access-Key' } as const;

export const cloudfront: LinesSource = {
  about: {
    name: 'cloudfront',
    title: 'Amazon CloudFront',
    inSentences: 'CloudFront',
    keyHint: 'for a Firehose stream of CloudFront’s logs',
    addressField: 'c-ip',
    kind: 'log',
    group: 'edge',
    summary: 'Real-time or standard logs of a distribution, sent by Amazon Data Firehose.',
    latestVersion: null,
    misspelled: /cloud-?front|firehose/i,
    setup: {
      slug: 'cloudfront',
      about:
        'Amazon Data Firehose sends the logs of your distribution. Real-time logs need a Kinesis stream in front of it.',
      steps: [
        {
          title: 'Create a Firehose stream',
          text: [
            'Source: the Kinesis data stream of your real-time logs, or Direct PUT for standard logs (v2). Destination: HTTP endpoint.',
            'The access key is the ingest key. Choose GZIP as content encoding, and a retry duration of an hour or more.',
            'Firehose needs https on port 443.',
          ],
          snippets: [
            {
              title: 'HTTP endpoint URL',
              template: `{{base_url}}/v1/logs/cloudfront?attribution_id={{attribution_id}}&fields=${DEFAULT_FIELDS.join(',')}`,
            },
            { title: 'Access key', template: '{{key}}' },
          ],
        },
        {
          title: 'Choose the fields of the log',
          text: [
            'For a real-time log configuration choose exactly the fields below: its lines have no field names, so fields= in the URL names them, in CloudFront’s own order.',
            'To have signed requests verified, add cs-headers at the end of both lists. CloudFront cuts it at 800 bytes, so some signatures are incomplete.',
            'With a sampling rate below 100, add &sample_rate=0.1 (for 10%) to the URL.',
            'For standard logs (v2) choose JSON as output format. Their names come with each line.',
          ],
          snippets: [{ title: 'Fields', template: DEFAULT_FIELDS.join(',') }],
        },
      ],
    },
  },
  auth: [ACCESS_KEY, { place: 'header', name: 'X-API-Key' }, BEARER, IN_ADDRESS],
  document: {
    summary: 'Logs of CloudFront in the envelope of Data Firehose, at most 64 MiB before compression',
    query: {
      ...COMMON_QUERY,
      fields: z.string().optional().openapi({
        description: 'Names of a real-time log’s fields, in their order',
        example: 'timestamp,c-ip',
      }),
    },
    contentType: 'application/json',
    body: z.object({
      requestId: z.string(),
      timestamp: z.number(),
      records: z.array(z.object({ data: z.string() })),
    }),
    problems: { 422: 'sample_rate is not a share' },
  },
  transport: 'lines',
  form(request) {
    const parser = cloudfrontParser(request.parameters.get('fields'));
    return {
      ...textLines(parser, { source: 'cloudfront', ...saidOfAll(request) }),
      reframe: () => new Firehose(),
    };
  },
  addressed: (request) => addressed(request) ?? attributed(request),
  isTest: (body) => body.length === 0,
  tested: acknowledge,
  answer: (_, request) => acknowledge(request),
  refuse: ({ status, detail }, request) => ({
    // 413 alone would be given up, without the stream's own bucket for what failed.
    status: status === 413 ? 400 : status,
    contentType: 'application/json',
    body: JSON.stringify({ ...received(request), errorMessage: detail.slice(0, 8_000) }),
  }),
};

/** 200 with the same request id is all that counts: what was rejected would be rejected again. */
function acknowledge(request: SourceRequest): SourceAnswer {
  return { status: 200, json: received(request) };
}

const received = (request: SourceRequest) => ({
  requestId: (request.header('x-amz-firehose-request-id') ?? '').slice(0, 128),
  timestamp: request.now,
});

/** `X-Amz-Firehose-Common-Attributes: {"commonAttributes":{"attribution_id":"…"}}` */
function attributed(request: SourceRequest): string | null {
  try {
    const { commonAttributes } = JSON.parse(request.header('x-amz-firehose-common-attributes') ?? '{}');
    const parameters = new URLSearchParams({
      attribution_id: String(commonAttributes?.attribution_id ?? ''),
    });
    return addressedAttributionId(parameters);
  } catch {
    return null;
  }
}
