/** The forwarding part of the management API; mounted at `/api/v1`. */
import { createRoute } from '@hono/zod-openapi';
import { type Api, type Clock, createApi } from '../common/index.ts';
import { type Properties, propertyFinder } from '../properties/index.ts';
import { catalogueEntry } from './catalogue.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { destinationRoutes } from './destination-routes.ts';
import type { Forwarding } from './index.ts';
import { json, tags } from './route-parts.ts';
import * as schemas from './schemas.ts';

export interface ForwardingRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly forwarding: Forwarding;
  readonly clock: Clock;
}

export function forwardingRoutes({ properties, forwarding, clock }: ForwardingRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);

  api.openapi(
    createRoute({
      method: 'get',
      path: '/platforms',
      tags,
      summary: 'Platforms, with the schemas of their config and credentials',
      responses: { 200: json(schemas.platformsSchema) },
    }),
    (c) => c.json({ items: forwarding.platforms.map(catalogueEntry) }, 200),
  );

  api.route('/', destinationRoutes(forwarding, find));
  api.route('/', deliveryRoutes(forwarding, find, clock));
  return api;
}
