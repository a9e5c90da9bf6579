/** Where senders post: `/webhooks/custom/{attribution_id}/{topic}`; mounted at the root, before authentication. */
import type { IncomingMessage } from 'node:http';
import { TOPICS } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  type Api,
  type ApiEnv,
  body,
  createApi,
  json,
  problemResponse,
  ServiceError,
} from '../common/index.ts';
import { readJson } from './body.ts';
import type { Webhooks } from './index.ts';
import { shopEndpoint } from './shops/endpoint.ts';

export interface WebhookEndpointDeps {
  readonly webhooks: Pick<Webhooks, 'receive' | 'receiveShop'>;
  /** The peer of a request, proxies seen through; undefined when the request was made inside the process. */
  readonly peer: (incoming: IncomingMessage | undefined) => { readonly ip: string };
  /** The only attribution ID that may be used at the request's host; null: any. */
  readonly boundTo: (incoming: IncomingMessage | undefined) => string | null;
}

const answerSchema = z
  .object({
    id: z.string(),
    status: z.literal('success'),
    topic: z.enum(TOPICS),
    session_matched: z.boolean(),
    duplicate: z.boolean(),
    warnings: z.array(z.object({ pointer: z.string(), message: z.string() })),
  })
  .openapi('WebhookAnswer');

/** Described, not checked: the order of the checks is the endpoint's own, and the body is core's to read. */
const description = createRoute({
  method: 'post',
  path: '/webhooks/custom/{attribution_id}/{topic}',
  tags: ['webhooks'],
  security: [{ webhook_key: [] }],
  summary: 'Send a conversion, with a webhook key',
  request: {
    params: z.object({ attribution_id: z.string(), topic: z.enum(TOPICS) }),
    body: body(z.object({}).loose()),
  },
  responses: {
    200: json(answerSchema, 'Stored, or already known'),
    400: problemResponse('No JSON'),
    401: problemResponse('No valid key of this attribution ID'),
    404: problemResponse('No property receives conversions here'),
    408: problemResponse('The body stopped arriving, or arrives too slowly'),
    413: problemResponse('Over 256 KiB'),
    422: problemResponse('Not accepted; every place is named'),
    429: problemResponse('The key’s limit is used up'),
    503: problemResponse('The database is down or busy; send it again after `Retry-After` seconds'),
  },
});

export function webhookEndpoint({ webhooks, peer, boundTo }: WebhookEndpointDeps): Api {
  const api = createApi();
  const path = '/webhooks/custom/:attribution_id/:topic';
  api.openAPIRegistry.registerComponent('securitySchemes', 'webhook_key', { type: 'http', scheme: 'bearer' });
  api.openAPIRegistry.registerPath(description);

  api.post(path, async (c: Context<ApiEnv, typeof path>) => {
    const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
    const { headers, body: answer } = await webhooks.receive({
      attributionId: c.req.param('attribution_id'),
      topic: c.req.param('topic'),
      boundTo: boundTo(incoming),
      authorization: c.req.header('Authorization'),
      idempotencyKey: c.req.header('Idempotency-Key'),
      ip: peer(incoming).ip,
      readBody: () => readJson(c.req.raw),
    });
    return c.json(answer, 200, { ...headers, 'Cache-Control': 'no-store' });
  });
  api.all(path, () => {
    throw new ServiceError('method_not_allowed', 'Conversions are sent with POST.', {
      headers: { Allow: 'POST' },
    });
  });
  api.route('/', shopEndpoint({ receive: webhooks.receiveShop, peer, boundTo }));
  return api;
}
