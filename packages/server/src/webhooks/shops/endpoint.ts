/** Where shop platforms deliver: `/webhooks/woocommerce/{attribution_id}`, `/webhooks/shopify/{attribution_id}`. */
import type { IncomingMessage } from 'node:http';
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
} from '../../common/index.ts';
import { PATIENCE, readBytes } from '../body.ts';
import { SHOP_RESULTS } from './connections.ts';
import type { ShopReceive } from './receive.ts';
import { SHOPS } from './register.ts';

const answerSchema = z
  .object({
    status: z.literal('success'),
    result: z.enum(SHOP_RESULTS),
    detail: z.string(),
    conversions: z.array(z.object({ id: z.string(), topic: z.string(), session_matched: z.boolean() })),
  })
  .openapi('ShopAnswer');

export interface ShopEndpointDeps {
  readonly receive: ShopReceive;
  /** The peer of a request, proxies seen through. */
  readonly peer: (incoming: IncomingMessage | undefined) => { readonly ip: string };
  /** The only attribution ID that may be used at the request's host; null: any. */
  readonly boundTo: (incoming: IncomingMessage | undefined) => string | null;
}

export function shopEndpoint({ receive, peer, boundTo }: ShopEndpointDeps): Api {
  const api = createApi();
  for (const { name, title, headers } of SHOPS) {
    const path = `/webhooks/${name}/:attribution_id` as const;
    const scheme = `${name}_signature`;
    api.openAPIRegistry.registerComponent('securitySchemes', scheme, {
      type: 'apiKey',
      in: 'header',
      name: headers.signature,
      description: `Base64 of the HMAC-SHA256 of the body, made with the secret that ${title} and this service know`,
    });
    // Described, not checked: the signature is over the bytes, so nothing may read them before.
    api.openAPIRegistry.registerPath(
      createRoute({
        method: 'post',
        path: `/webhooks/${name}/{attribution_id}`,
        tags: ['webhooks'],
        security: [{ [scheme]: [] }],
        summary: `A webhook of ${title}, signed by it`,
        request: { params: z.object({ attribution_id: z.string() }), body: body(z.object({}).loose()) },
        responses: {
          200: json(answerSchema, 'Stored, known already, or nothing that is counted'),
          401: problemResponse('Nothing is received here with this signature'),
          408: problemResponse('The body stopped arriving, or arrives too slowly'),
          413: problemResponse('Over 1 MiB'),
          429: problemResponse('The shop’s limit is used up'),
          503: problemResponse(
            'The database is down or busy, or too many bodies arrive at once; come again after `Retry-After` seconds',
          ),
        },
      }),
    );
    api.post(path, async (c: Context<ApiEnv, typeof path>) => {
      const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
      const answer = await receive({
        platform: name,
        attributionId: c.req.param('attribution_id'),
        boundTo: boundTo(incoming),
        header: (header) => c.req.header(header),
        ip: peer(incoming).ip,
        readBody: (maxBytes, meter) => readBytes(c.req.raw, maxBytes, PATIENCE, meter),
      });
      return c.json(answer.body, 200, { ...answer.headers, 'Cache-Control': 'no-store' });
    });
    api.all(path, () => {
      throw new ServiceError('method_not_allowed', 'Webhooks are delivered with POST.', {
        headers: { Allow: 'POST' },
      });
    });
  }
  return api;
}
