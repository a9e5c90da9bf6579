/** The webhooks part of the management API; mounted at `/api/v1`. Where senders post is in `endpoint.ts`. */
import { createRoute } from '@hono/zod-openapi';
import {
  type Api,
  body,
  type Clock,
  createApi,
  idParam,
  json,
  narrowing,
  problemResponse,
} from '../common/index.ts';
import { type Properties, propertyFinder } from '../properties/index.ts';
import { conversionRoutes } from './conversion-routes.ts';
import type { Webhooks } from './index.ts';
import { keyRoutes } from './key-routes.ts';
import * as schemas from './schemas.ts';
import type { Settings } from './settings.ts';
import { shopRoutes } from './shops/routes.ts';
import { settingsView } from './views.ts';

export { webhookEndpoint } from './endpoint.ts';

export interface WebhookRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly webhooks: Webhooks;
  /** {base_url}; asked at each request, when the port is known. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

const PATH = '/properties/{id}/webhooks';
const tags = ['webhooks'];
const absent = problemResponse('No such property');

export function webhookRoutes({ properties, webhooks, baseUrl, clock }: WebhookRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);
  const view = (id: string, settings: Settings) =>
    settingsView(settings, `${baseUrl()}/webhooks/custom/${id}`);

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'Whether webhooks are enabled, and their endpoint',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.settingsSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(view(property.id, await webhooks.settings.read(property)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: PATH,
      tags,
      summary: 'Enable or disable receiving, set the attribution window; omitted members don’t change',
      request: { params: idParam, query: narrowing, body: body(schemas.changesSchema) },
      responses: {
        200: json(schemas.settingsSchema, 'Changed'),
        404: absent,
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const { enabled, lookback_days: lookbackDays, consent_default: consentDefault } = c.req.valid('json');
      const changes = {
        ...(enabled === undefined ? {} : { enabled }),
        ...(lookbackDays === undefined ? {} : { lookbackDays }),
        ...(consentDefault === undefined ? {} : { consentDefault }),
      };
      return c.json(view(property.id, await webhooks.settings.update(property, caller.actor, changes)), 200);
    },
  );

  api.route('/', keyRoutes(webhooks.keys, find));
  const { connections, refusals } = webhooks.shops;
  api.route('/', shopRoutes({ connections, refusals, find, baseUrl }));
  api.route('/', conversionRoutes(webhooks, find, clock));
  return api;
}
