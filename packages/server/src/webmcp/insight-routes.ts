/** What became of it: who changed what, what the hosts serve, who fetches it. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, daysOf, problemResponse, ServiceError } from '../common/index.ts';
import type { Property } from '../properties/index.ts';
import { type PathFetches, pathFetches, type Warehouse } from '../warehouse/index.ts';
import type { Webmcp } from './index.ts';
import { absent, type FindProperty, idParam, json, narrowing, PATH, tags } from './route-parts.ts';
import * as schemas from './schemas.ts';
import { fetchesView, statusView, versionLineView, versionView } from './views.ts';

export type FetchReader = (property: Property, days: number, signal: AbortSignal) => Promise<PathFetches>;

/** Who fetched the manifest, as the property's own traffic shows it. */
export function manifestFetches(warehouse: Warehouse): FetchReader {
  return (property, days, signal) =>
    pathFetches(
      warehouse,
      { organizationId: property.organizationId, attributionIds: [property.id] },
      { path: '/.well-known/webmcp.json', days, calendar: daysOf(property) },
      signal,
    );
}

const versionParam = idParam.extend({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .openapi({ param: { name: 'version', in: 'path' } }),
});
const before = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();
const days = z.coerce.number().int().min(1).max(90).default(30);

export function insightRoutes(webmcp: Webmcp, fetches: FetchReader, find: FindProperty): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/versions`,
      tags,
      summary: 'Versions of the manifest, newest first (50 per page; the newest 100 are kept)',
      request: { params: idParam, query: narrowing.extend({ before }) },
      responses: { 200: json(schemas.versionsSchema), 404: absent },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const property = await find(c);
      const lines = await webmcp.versions(property, query.before);
      return c.json({ items: lines.map(versionLineView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/versions/{version}`,
      tags,
      summary: 'One version, with its hosts and tools',
      request: { params: versionParam, query: narrowing },
      responses: { 200: json(schemas.versionSchema), 404: absent },
    }),
    async (c) => {
      const { version } = c.req.valid('param');
      const property = await find(c);
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
      summary: 'Fetch and verify the manifest from every host, as an agent would (at most ten hosts)',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.statusSchema), 404: absent, 429: problemResponse('Asked a moment ago') },
    }),
    async (c) => {
      const property = await find(c);
      return c.json({ items: (await webmcp.status(property)).map(statusView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/fetches`,
      tags,
      summary: 'Which agents fetched the manifest, from the property’s traffic',
      request: { params: idParam, query: narrowing.extend({ days }) },
      responses: { 200: json(schemas.fetchesSchema), 404: absent },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const property = await find(c);
      return c.json(fetchesView(property, await fetches(property, query.days, c.req.raw.signal)), 200);
    },
  );

  return api;
}
