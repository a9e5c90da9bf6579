/** Where senders post: `/webhooks/custom/{attribution_id}/{topic}`; mounted at the root, before anybody is asked who they are. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { type Api, type ApiEnv, createApi, ServiceError } from '../kit/index.ts';
import { readJson } from './body.ts';
import type { Webhooks } from './index.ts';

export interface WebhookEndpointDeps {
  readonly webhooks: Pick<Webhooks, 'receive'>;
  /** The peer of a request, proxies seen through; undefined when the request was made inside the process. */
  readonly peer: (incoming: IncomingMessage | undefined) => { readonly ip: string };
  /** The only attribution ID that may be used at the request's host; null: any. */
  readonly boundTo: (incoming: IncomingMessage | undefined) => string | null;
}

export function webhookEndpoint({ webhooks, peer, boundTo }: WebhookEndpointDeps): Api {
  const api = createApi();
  const path = '/webhooks/custom/:attribution_id/:topic';

  api.post(path, async (c: Context<ApiEnv, typeof path>) => {
    const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
    const { headers, body } = await webhooks.receive({
      attributionId: c.req.param('attribution_id'),
      topic: c.req.param('topic'),
      boundTo: boundTo(incoming),
      authorization: c.req.header('Authorization'),
      idempotencyKey: c.req.header('Idempotency-Key'),
      ip: peer(incoming).ip,
      readBody: () => readJson(c.req.raw),
    });
    return c.json(body, 200, { ...headers, 'Cache-Control': 'no-store' });
  });
  api.all(path, () => {
    throw new ServiceError('method_not_allowed', 'Conversions are sent with POST.', {
      headers: { Allow: 'POST' },
    });
  });
  return api;
}
