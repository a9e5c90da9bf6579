/** Shop platforms of a property: connect, replace the secret, disconnect, see the last delivery. Mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  idParam,
  json,
  narrowing,
  problemResponse,
  ServiceError,
} from '../../common/index.ts';
import type { Row } from '../../database/index.ts';
import type { FindProperty } from '../../properties/index.ts';
import { RATE_LIMIT } from '../webhook-keys.ts';
import { type Connections, OVERLAP_SECONDS, SHOP_RESULTS } from './connections.ts';
import { SHOP_NAMES, type ShopPlatform } from './platform.ts';
import { SHOPS, shopCalled } from './register.ts';

const PATH = '/properties/{id}/webhooks/shops';
const tags = ['webhooks'];
const absent = problemResponse('No such property, or the platform is not connected');
const shopParam = idParam.extend({
  platform: z
    .enum(SHOP_NAMES, `Must be one of ${SHOP_NAMES.join(', ')}.`)
    .openapi({ param: { name: 'platform', in: 'path' } }),
});

/** Strict: without a secret a new one is made, so that a misspelt name would replace the one that stood. */
const changesSchema = z
  .strictObject({
    secret: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{8,255}$/, 'Enter the secret: 8 to 255 printable characters without spaces.')
      .optional()
      .openapi({
        description:
          'What signs the deliveries. WooCommerce accepts any: without it one is made and returned',
      }),
    overlap_seconds: z
      .number()
      .int('Enter whole seconds.')
      .min(0, 'At least 0: the previous secret ends at once.')
      .max(OVERLAP_SECONDS.most, 'At most 30 days.')
      .default(OVERLAP_SECONDS.default)
      .openapi({ description: 'How long the previous secret is accepted too' }),
  })
  .openapi('ShopSecret');
const rateLimitSchema = z
  .number()
  .int('Enter a whole number.')
  .min(RATE_LIMIT.least, 'At least 1 delivery per minute.')
  .max(RATE_LIMIT.most, 'At most 100,000 deliveries per minute.')
  .openapi({ description: 'Deliveries per minute' });
const limitSchema = z.object({ rate_limit: rateLimitSchema }).openapi('ShopLimit');
const shopSchema = z
  .object({
    platform: z.enum(SHOP_NAMES),
    title: z.string(),
    endpoint: z.url().openapi({ description: 'The delivery URL to enter at the platform' }),
    topics: z.array(z.string()).openapi({ description: 'The topics to set up there' }),
    makes_secret: z
      .boolean()
      .openapi({ description: 'The platform shows its own secret, which has to be entered here' }),
    connected: z.boolean(),
    rate_limit: rateLimitSchema.nullable(),
    changed_at: z.iso.datetime().nullable(),
    previous_until: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'The previous secret is accepted until then' }),
    pinged_at: z.iso.datetime().nullable().openapi({ description: 'The last unsigned test of the address' }),
    refused_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'The last delivery with a wrong signature' }),
    refused_because: z.string().nullable(),
    last: z
      .object({ at: z.iso.datetime(), topic: z.string(), result: z.enum(SHOP_RESULTS), detail: z.string() })
      .nullable()
      .openapi({ description: 'The last signed delivery' }),
    counts: z
      .record(z.enum(SHOP_RESULTS), z.number().int())
      .openapi({ description: 'Signed deliveries by result, since it was connected' }),
  })
  .openapi('Shop');
const connectedSchema = shopSchema
  .extend({
    secret: z
      .string()
      .nullable()
      .openapi({ description: 'The secret that was made; it is never shown again' }),
  })
  .openapi('ConnectedShop');
const shopsSchema = z.object({ items: z.array(shopSchema) }).openapi('Shops');

/** The newest request of a platform that was refused. */
export type Refusals = (owner: {
  readonly id: string;
  readonly organizationId: string;
}) => Promise<ReadonlyMap<string, { readonly at: number; readonly error: string | null }>>;

export interface ShopRoutesDeps {
  readonly connections: Connections;
  readonly refusals: Refusals;
  readonly find: FindProperty;
  /** {base_url} */
  readonly baseUrl: () => string;
}

export function shopRoutes({ connections, refusals, find, baseUrl }: ShopRoutesDeps): Api {
  const api = createApi();
  const view = (
    platform: ShopPlatform,
    id: string,
    row: Row<'webhook_shops'> | undefined,
    refused: { readonly at: number; readonly error: string | null } | undefined,
  ) => ({
    platform: platform.name,
    title: platform.title,
    endpoint: `${baseUrl()}/webhooks/${platform.name}/${id}`,
    topics: [...platform.advised],
    makes_secret: platform.makesSecret,
    connected: row !== undefined,
    rate_limit: row?.rate_limit ?? null,
    changed_at: time(row?.changed_at),
    previous_until: time(row?.previous_until),
    pinged_at: time(row?.pinged_at),
    refused_at: time(refused?.at),
    refused_because: refused?.error ?? null,
    last: lastOf(row),
    counts: Object.fromEntries(SHOP_RESULTS.map((result) => [result, Number(row?.[result] ?? 0)])) as Record<
      (typeof SHOP_RESULTS)[number],
      number
    >,
  });

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'The shop platforms: where each delivers, and what came last',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(shopsSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      const rows = await connections.list(property);
      const refused = await refusals(property);
      const items = SHOPS.map((one) => view(one, property.id, rows.get(one.name), refused.get(one.name)));
      return c.json({ items }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: `${PATH}/{platform}`,
      tags,
      summary: 'Connect a shop platform, or replace its secret; the previous one stays good for a while',
      request: { params: shopParam, query: narrowing, body: body(changesSchema) },
      responses: {
        200: json(connectedSchema, 'Connected; only this answer has a secret that was made'),
        404: absent,
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const platform = shopCalled(c.req.valid('param').platform);
      const property = await find(c);
      const { secret = null, overlap_seconds: overlap } = c.req.valid('json');
      if (secret === null && platform.makesSecret)
        throw new ServiceError(
          'invalid',
          `Enter the secret that ${platform.title} shows: it can’t be chosen.`,
          {
            errors: [{ pointer: '/secret', message: 'Is required.' }],
          },
        );
      const { row, made } = await connections.connect(property, caller.actor, platform.name, secret, overlap);
      return c.json({ ...view(platform, property.id, row, undefined), secret: made }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: `${PATH}/{platform}`,
      tags,
      summary: 'Change the limit of a shop platform; applies from the next delivery',
      request: { params: shopParam, query: narrowing, body: body(limitSchema) },
      responses: { 200: json(shopSchema, 'Changed'), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const caller = c.get('caller');
      const platform = shopCalled(c.req.valid('param').platform);
      const property = await find(c);
      const { rate_limit: rateLimit } = c.req.valid('json');
      const row = await connections.limit(property, caller.actor, platform.name, rateLimit);
      const refused = await refusals(property);
      return c.json(view(platform, property.id, row, refused.get(platform.name)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/{platform}/previous-secret`,
      tags,
      summary: 'End the previous secret now; every node refuses it within 5 seconds',
      request: { params: shopParam, query: narrowing },
      responses: { 204: { description: 'Ended' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { platform } = c.req.valid('param');
      await connections.endPrevious(await find(c), caller.actor, platform);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/{platform}`,
      tags,
      summary: 'Disconnect a shop platform; its deliveries are refused with 401',
      request: { params: shopParam, query: narrowing },
      responses: { 204: { description: 'Disconnected' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { platform } = c.req.valid('param');
      await connections.disconnect(await find(c), caller.actor, platform);
      return c.body(null, 204);
    },
  );

  return api;
}

const time = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

function lastOf(row: Row<'webhook_shops'> | undefined) {
  const { last_at: at, last_topic: topic, last_detail: detail } = row ?? {};
  const result = SHOP_RESULTS.find((one) => one === row?.last_result);
  if (at === null || at === undefined || result === undefined) return null;
  return { at: new Date(at).toISOString(), topic: topic ?? 'unknown', result, detail: detail ?? '' };
}
