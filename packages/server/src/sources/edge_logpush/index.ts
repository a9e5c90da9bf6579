/** Log push: Cloudflare sends its own log lines, whole batches of them, about once a minute. */
import { z } from '@hono/zod-openapi';
import { addressedAttributionId } from '../fields/address.ts';
import { jsonLines } from '../json-lines/form.ts';
import type { LinesSource } from '../source.ts';
import { answer } from './answer.ts';
import { decodeLine, LINE_FIELDS, tracesOf, userAgentIn } from './decode.ts';
import { createScreens } from './screen.ts';
import { isValidationUpload } from './validation.ts';

const form = jsonLines({ fields: LINE_FIELDS, traces: tracesOf, decode: decodeLine, agentIn: userAgentIn });

export const edgeLogpush: LinesSource = {
  about: {
    name: 'edge_logpush',
    title: 'Cloudflare Logpush',
    inSentences: 'log push',
    keyHint: 'for a Cloudflare Logpush job',
    addressField: 'ClientIP',
    kind: 'log',
    group: 'edge',
    summary: 'Cloudflare sends its logs in batches, about once a minute.',
    latestVersion: null,
    misspelled: /logpush/i,
    setup: {
      slug: 'logpush',
      about: 'Cloudflare sends its logs. Nothing runs on your zone. Often an Enterprise feature.',
      steps: [
        {
          title: 'Point a log push job here',
          text: [
            'Dataset http_requests, output type ndjson, the fields below.',
            'Cloudflare turns header_X-API-Key into a request header. Keep the encoding as it is.',
          ],
          snippets: [
            {
              title: 'Destination URL',
              template:
                '{{base_url}}/v1/logs/edge_logpush?header_X-API-Key={{key|url}}&attribution_id={{attribution_id}}',
            },
            { title: 'Fields', template: LINE_FIELDS.join(',') },
          ],
        },
      ],
    },
  },
  // The platform can't set headers of one's choice: it turns this parameter into one, or leaves it where it is.
  auth: [
    { place: 'header', name: 'X-API-Key' },
    { place: 'query', name: 'header_X-API-Key' },
  ],
  document: {
    summary:
      'Lines of an edge log push: one JSON object a line, an array, or concatenated objects; at most 1,040 MiB',
    query: {
      attribution_id: z.uuid().optional(),
      tags: z.string().optional().openapi({ example: 'attribution_id=<uuid>' }),
    },
    contentType: 'application/x-ndjson',
    body: z.object({}).loose(),
    problems: {},
  },
  answer,
  transport: 'lines',
  form: () => form,
  screens: createScreens,
  addressed: ({ parameters }) => addressedAttributionId(parameters),
  isTest: isValidationUpload,
};
