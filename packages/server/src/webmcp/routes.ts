/** The WebMCP part of the management API; mounted at `/api/v1`. What everybody may read is in `public-routes.ts`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Caller,
  createApi,
  narrowScope,
  problemResponse,
  ServiceError,
} from '../kit/index.ts';
import type { Properties, Property } from '../properties/index.ts';
import { type PathFetches, pathFetches, type Warehouse } from '../warehouse/index.ts';
import type { Webmcp } from './index.ts';
import * as schemas from './schemas.ts';
import { checkView, fetchesView, stateView, statusView, versionLineView, versionView } from './views.ts';

export { webmcpPublicRoutes } from './public-routes.ts';

export type FetchReader = (property: Property, days: number, signal: AbortSignal) => Promise<PathFetches>;

/** Who fetched the manifest, as the property's own traffic shows it. */
export function manifestFetches(warehouse: Warehouse): FetchReader {
  return ({ id, organizationId }, days, signal) =>
    pathFetches(
      warehouse,
      { organizationId, attributionIds: [id] },
      { path: '/.well-known/webmcp.json', days },
      signal,
    );
}

export interface WebmcpRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly webmcp: Webmcp;
  readonly fetches: FetchReader;
}

const idParam = z.object({
  id: z.guid('Give the attribution ID, a UUID.').openapi({ param: { name: 'id', in: 'path' } }),
});
const versionParam = idParam.extend({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .openapi({ param: { name: 'version', in: 'path' } }),
});
const narrowing = z.object({
  organization: z
    .guid('Give an organization ID, a UUID.')
    .optional()
    .openapi({ description: 'Narrows what the root token sees' }),
});
const before = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();
const days = z.coerce.number().int().min(1).max(90).default(30);

const PATH = '/properties/{id}/webmcp';
const tags = ['webmcp'];
const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { 'application/json': { schema } },
});
const json = <T extends z.ZodType>(schema: T, description = 'OK') => ({
  description,
  content: { 'application/json': { schema } },
});
const absent = problemResponse('No such property');
const refused = problemResponse('Not accepted; every place is named');

export function webmcpRoutes({ properties, webmcp, fetches }: WebmcpRoutesDeps): Api {
  const api = createApi();
  const find = ({ scope }: Caller, id: string, organization: string | undefined): Promise<Property> =>
    properties.get(narrowScope(scope, organization), id);
  const stateOf = async (property: Property) =>
    stateView(property.id, { ...(await webmcp.state(property)), issuer: webmcp.issuer() });

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'What is published, what is being edited, and where agents find it',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.stateSchema), 404: absent },
    }),
    async (c) => {
      const { organization } = c.req.valid('query');
      return c.json(await stateOf(await find(c.get('caller'), c.req.valid('param').id, organization)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: PATH,
      tags,
      summary: 'Check, sign and publish; the draft is done with',
      request: { params: idParam, query: narrowing, body: body(schemas.publishSchema) },
      responses: {
        200: json(schemas.stateSchema, 'Published'),
        404: absent,
        409: problemResponse('Somebody else has published since'),
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(caller, c.req.valid('param').id, c.req.valid('query').organization);
      const { hosts, tools, version = null } = c.req.valid('json');
      await webmcp.publish(property, caller.actor, { hosts, tools, version });
      return c.json(await stateOf(property), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: PATH,
      tags,
      summary: 'Withdraw the manifest; its key and its history stay',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'Nothing is published' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(caller, c.req.valid('param').id, c.req.valid('query').organization);
      await webmcp.unpublish(property, caller.actor);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/rotate-keys`,
      tags,
      summary: 'A new key, and the manifest signed with it; every copy of before stops verifying at once',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.stateSchema, 'Rotated'), 404: absent, 422: refused },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(caller, c.req.valid('param').id, c.req.valid('query').organization);
      await webmcp.rotate(property, caller.actor);
      return c.json(await stateOf(property), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: `${PATH}/draft`,
      tags,
      summary: 'Keep what is being edited, right or wrong',
      request: { params: idParam, query: narrowing, body: body(schemas.draftSchema) },
      responses: { 204: { description: 'Kept' }, 404: absent, 422: refused },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(caller, c.req.valid('param').id, c.req.valid('query').organization);
      await webmcp.drafts.save(property, caller.actor, c.req.valid('json'));
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/draft`,
      tags,
      summary: 'Throw the draft away',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'There is no draft' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(caller, c.req.valid('param').id, c.req.valid('query').organization);
      await webmcp.drafts.discard(property, caller.actor);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/check`,
      tags,
      summary: 'Everything that publishing would look at, without publishing',
      request: { params: idParam, query: narrowing, body: body(schemas.declarationSchema) },
      responses: { 200: json(schemas.checkAnswerSchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const property = await find(
        c.get('caller'),
        c.req.valid('param').id,
        c.req.valid('query').organization,
      );
      return c.json(checkView(await webmcp.check(property, c.req.valid('json'))), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/try`,
      tags,
      summary: 'Check arguments against a tool’s schema; nothing is called',
      request: { params: idParam, query: narrowing, body: body(schemas.trySchema) },
      responses: { 200: json(schemas.tryAnswerSchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const property = await find(
        c.get('caller'),
        c.req.valid('param').id,
        c.req.valid('query').organization,
      );
      const { tool, arguments: args } = c.req.valid('json');
      const { valid, errors } = await webmcp.tryTool(property, tool, args);
      return c.json({ valid, errors: [...errors] }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/versions`,
      tags,
      summary: 'Who changed what, newest first (50 at a time; the newest 100 are kept)',
      request: { params: idParam, query: narrowing.extend({ before }) },
      responses: { 200: json(schemas.versionsSchema), 404: absent },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const property = await find(c.get('caller'), c.req.valid('param').id, query.organization);
      const lines = await webmcp.versions(property, query.before);
      return c.json({ items: lines.map(versionLineView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/versions/{version}`,
      tags,
      summary: 'One of them with its hosts and tools',
      request: { params: versionParam, query: narrowing },
      responses: { 200: json(schemas.versionSchema), 404: absent },
    }),
    async (c) => {
      const { id, version } = c.req.valid('param');
      const property = await find(c.get('caller'), id, c.req.valid('query').organization);
      const row = await webmcp.version(property, version);
      if (row === null)
        throw new ServiceError('not_found', 'There is no such version; the newest 100 are kept.');
      return c.json(versionView(row), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/status`,
      tags,
      summary: 'Fetch the manifest from every host as an agent would, and verify it (at most ten hosts)',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.statusSchema), 404: absent, 429: problemResponse('Asked a moment ago') },
    }),
    async (c) => {
      const property = await find(
        c.get('caller'),
        c.req.valid('param').id,
        c.req.valid('query').organization,
      );
      return c.json({ items: (await webmcp.status(property)).map(statusView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/fetches`,
      tags,
      summary: 'Who has fetched the manifest from the property’s hosts, as its traffic shows',
      request: { params: idParam, query: narrowing.extend({ days }) },
      responses: { 200: json(schemas.fetchesSchema), 404: absent },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const property = await find(c.get('caller'), c.req.valid('param').id, query.organization);
      return c.json(fetchesView(await fetches(property, query.days, c.req.raw.signal)), 200);
    },
  );

  return api;
}
