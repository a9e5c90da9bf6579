/** The collector on the customer's zone (`packages/collector`): an array of log objects after each few visits. */
import { z } from '@hono/zod-openapi';
import type { ArraySource } from '../source.ts';
import { answer } from './answer.ts';
import { decodeElement } from './decode.ts';

export const edgeWorker: ArraySource = {
  about: {
    name: 'edge_worker',
    title: 'Cloudflare Worker',
    inSentences: 'the collector',
    keyHint: 'for the collector Worker in your Cloudflare zone',
    kind: 'collector',
    group: 'edge',
    summary: 'A Worker on your zone reports visits as they happen. Any plan.',
    // Held to `packages/collector` by a test.
    latestVersion: '0.5.0',
    misspelled: /edge[_-]?worker/i,
    setup: {
      slug: 'worker',
      about: 'A small collector on your zone. Any plan; adds no latency; sees AI’s share of traffic.',
      steps: [
        {
          title: 'Deploy the collector with these variables',
          text: ['Set the key as a secret, never as a variable. No “Bearer”, no spaces.'],
          snippets: [
            {
              title: 'Variables',
              template: [
                'SERVICE_INGEST_URL={{base_url}}/v1/logs/edge_worker',
                'SERVICE_ATTRIBUTION_ID={{attribution_id}}',
                'SERVICE_BOTLIST_URL={{base_url}}/v1/config/ai-bots',
                'SERVICE_SAMPLE_RATE=0.02',
              ].join('\n'),
            },
            {
              title: 'Secret',
              template: 'printf %s {{key|shell}} | npx wrangler secret put SERVICE_API_KEY',
            },
          ],
        },
      ],
    },
  },
  auth: [{ place: 'header', name: 'X-API-Key' }],
  document: {
    summary: 'Hits of an edge collector: one log object, or an array of them, at most 1 MiB',
    query: {},
    contentType: 'application/json',
    body: z.array(z.object({}).loose()),
    problems: { 422: 'Every element was rejected' },
  },
  answer,
  transport: 'array',
  decode: decodeElement,
};
