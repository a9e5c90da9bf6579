/** Custom tracking domains in the management API, and the question of a TLS proxy; both mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  idParam,
  isoOf,
  json,
  narrowing,
  problemResponse,
  ServiceError,
} from '../common/index.ts';
import { type Properties, propertyFinder } from '../properties/index.ts';
import type { Domains, TrackingDomain } from './index.ts';

export interface DomainRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly domains: Domains;
}

const PATH = '/properties/{id}/domains';
const tags = ['tracking domains'];
const MAX_NAME = 253;
const newDomainSchema = z
  .object({ domain: z.string().min(1, 'Enter a host name.').max(2_048, 'At most 2,048 characters.') })
  .openapi('NewTrackingDomain');
const domainSchema = z
  .object({
    domain: z.string(),
    state: z.enum(['pending', 'verified', 'failing']).openapi({
      description:
        '`failing`: still served, but its record was not found; it is disabled 7 days after `failing_since`',
    }),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .openapi({ description: 'The DNS record to add' }),
    created_at: z.iso.datetime(),
    verified_at: z.iso.datetime().nullable(),
    checked_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable(),
    error: z.string().nullable().openapi({ description: 'Error of the last check' }),
  })
  .openapi('TrackingDomain');
const listSchema = z.object({ items: z.array(domainSchema) }).openapi('TrackingDomains');
const domainParam = idParam.extend({
  domain: z
    .string()
    .max(MAX_NAME)
    .openapi({ param: { name: 'domain', in: 'path' } }),
});
const absent = problemResponse('No such property or domain');
const claimed = problemResponse('Too many, or another property proves the domain');

/** Public: a proxy that gets certificates on demand asks this first. */
export function domainAskRoutes({ domains }: Pick<DomainRoutesDeps, 'domains'>): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/domains/ask',
      tags,
      security: [],
      summary: 'Whether a proxy may get a certificate for this name',
      request: { query: z.object({ domain: z.string().min(1).max(MAX_NAME) }) },
      responses: { 200: { description: 'Yes' }, 404: problemResponse('No') },
    }),
    (c) => {
      if (!domains.mayServe(c.req.valid('query').domain))
        throw new ServiceError('not_found', 'No verified tracking domain has this name.');
      return c.body(null, 200, { 'Cache-Control': 'no-store' });
    },
  );
  return api;
}

export function domainRoutes({ properties, domains }: DomainRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'The property’s tracking domains, with the DNS record of each',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(listSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json({ items: (await domains.list(property)).map(view) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: PATH,
      tags,
      summary: 'Add a domain; it is served once its TXT record is found',
      request: { params: idParam, query: narrowing, body: body(newDomainSchema) },
      responses: {
        201: json(domainSchema, 'Claimed'),
        404: absent,
        409: claimed,
        422: problemResponse('No host name'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      return c.json(view(await domains.add(property, caller.actor, c.req.valid('json').domain)), 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/{domain}/verify`,
      tags,
      summary: 'Check the TXT record now; `state` and `error` are the result',
      request: { params: domainParam, query: narrowing },
      responses: { 200: json(domainSchema), 404: absent, 409: claimed },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { domain } = c.req.valid('param');
      const property = await find(c);
      return c.json(view(await domains.verify(property, caller.actor, domain)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/{domain}`,
      tags,
      summary: 'Remove a domain; it is no longer served',
      request: { params: domainParam, query: narrowing },
      responses: { 204: { description: 'Given up' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { domain } = c.req.valid('param');
      const property = await find(c);
      await domains.remove(property, caller.actor, domain);
      return c.body(null, 204);
    },
  );

  return api;
}

function view(domain: TrackingDomain) {
  return {
    domain: domain.domain,
    state: domain.state,
    record: { type: 'TXT' as const, ...domain.record },
    created_at: new Date(domain.createdAt).toISOString(),
    verified_at: isoOf(domain.verifiedAt),
    checked_at: isoOf(domain.checkedAt),
    failing_since: isoOf(domain.failingSince),
    error: domain.error,
  };
}
