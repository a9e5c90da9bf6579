/** The WebMCP part of the management API; mounted at `/api/v1`. The public part is in `public-routes.ts`. */
import { createRoute } from '@hono/zod-openapi';
import { type Api, createApi, problemResponse } from '../common/index.ts';
import type { Properties, Property } from '../properties/index.ts';
import { editorRoutes } from './editor-routes.ts';
import type { Webmcp } from './index.ts';
import { type FetchReader, insightRoutes } from './insight-routes.ts';
import {
  absent,
  body,
  idParam,
  json,
  narrowing,
  PATH,
  propertyFinder,
  refused,
  tags,
} from './route-parts.ts';
import * as schemas from './schemas.ts';
import { stateView } from './views.ts';

export { manifestFetches } from './insight-routes.ts';
export { webmcpPublicRoutes } from './public-routes.ts';

export interface WebmcpRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly webmcp: Webmcp;
  readonly fetches: FetchReader;
}

export function webmcpRoutes({ properties, webmcp, fetches }: WebmcpRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);
  const stateOf = async (property: Property) =>
    stateView(property.id, { ...(await webmcp.state(property)), issuer: webmcp.issuer() });

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'The published manifest, the draft, and the issuer',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.stateSchema), 404: absent },
    }),
    async (c) => {
      return c.json(await stateOf(await find(c)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: PATH,
      tags,
      summary: 'Validate, sign and publish; deletes the draft',
      request: { params: idParam, query: narrowing, body: body(schemas.publishSchema) },
      responses: {
        200: json(schemas.stateSchema, 'Published'),
        404: absent,
        409: problemResponse('Another version has been published since'),
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
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
      summary: 'Withdraw the manifest; its key and history are kept',
      request: { params: idParam, query: narrowing },
      responses: { 204: { description: 'Nothing is published' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      await webmcp.unpublish(property, caller.actor);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/rotate-keys`,
      tags,
      summary: 'A new key, and the manifest signed with it; earlier copies no longer verify',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.stateSchema, 'Rotated'), 404: absent, 422: refused },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      await webmcp.rotate(property, caller.actor);
      return c.json(await stateOf(property), 200);
    },
  );

  api.route('/', editorRoutes(webmcp, find));
  api.route('/', insightRoutes(webmcp, fetches, find));
  return api;
}
