/** Quotas in the management API: read by members, set by the operator. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  idParam,
  json,
  narrowing,
  narrowScope,
  owningOrganization,
  problemResponse,
} from '../../common/index.ts';
import type { Properties } from '../../properties/index.ts';
import type { Quota, Quotas } from './quotas.ts';

export interface QuotaRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly quotas: Quotas;
}

const hits = z
  .number('Enter a number of visits, or null.')
  .int()
  .min(1)
  .max(10_000_000_000)
  .nullable()
  .openapi({ description: 'Visits a day; null: as the installation says' });
const quotaSchema = z
  .object({
    hits_per_day: z.number().int().nullable().openapi({ description: 'null: any number' }),
    of: z.enum(['property', 'organization']).openapi({
      description: 'Which quota applies: the property’s, or the organization’s if more of it is used',
    }),
    own_hits_per_day: z.number().int().nullable(),
    used: z
      .number()
      .int()
      .openapi({ description: 'Visits stored today, a minute or two ago; imports don’t count' }),
    state: z.enum(['open', 'no_samples', 'closed']).openapi({
      description:
        'no_samples: the quota is reached, samples are dropped; closed: twice the quota is reached, all visits are dropped',
    }),
    until: z.iso.datetime().nullable().openapi({ description: 'The end of the property’s day' }),
  })
  .openapi('Quota');
const newQuota = body(z.strictObject({ hits_per_day: hits }));
const tags = ['limits'];
const absent = problemResponse('No such property');

export function quotaRoutes({ properties, quotas }: QuotaRoutesDeps): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/quota',
      tags,
      summary: 'How many visits the property may store a day, and how many it has stored today',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(quotaSchema), 404: absent },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json(quotaView(await quotas.read(await properties.get(scope, c.req.valid('param').id))), 200);
    },
  );
  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'put',
      path: '/properties/{id}/quota',
      tags,
      summary: 'Set the quota of a property; takes effect within two minutes',
      request: { params: idParam, query: narrowing, body: newQuota },
      responses: { 200: json(quotaSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const property = await properties.get(narrowed, c.req.valid('param').id);
      await quotas.set(property, actor, c.req.valid('json').hits_per_day);
      return c.json(quotaView(await quotas.read(property)), 200);
    },
  );
  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'put',
      path: '/organization/quota',
      tags,
      summary: 'Set the quota of an organization, for all its properties together',
      request: { query: narrowing, body: newQuota },
      responses: {
        204: { description: 'Set' },
        404: problemResponse('No such organization'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      await quotas.setOrganization(owningOrganization(narrowed), actor, c.req.valid('json').hits_per_day);
      return c.body(null, 204);
    },
  );
  return api;
}

const quotaView = ({ limit, of, own, used, state, until }: Quota): z.input<typeof quotaSchema> => ({
  ...{ hits_per_day: limit, of, own_hits_per_day: own, used, state },
  until: until === null ? null : new Date(until).toISOString(),
});
