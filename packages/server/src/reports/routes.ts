/** Reports in the management API; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  json,
  networkNames,
  problemResponse,
  ServiceError,
} from '../common/index.ts';
import { type Properties, propertyFinder } from '../properties/index.ts';
import { REPORTS } from './register.ts';
import type { Report } from './report.ts';
import type { Reports } from './reports.ts';
import { registeredRoutes } from './serve.ts';
import { sitemapRoutes } from './sitemap-routes.ts';

export interface ReportRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly reports: Reports;
  /** Default: all that there are. */
  readonly register?: readonly Report[];
}

const rollupSchema = z
  .object({
    days: z.array(z.object({ day: z.iso.date(), properties: z.number().int(), hits: z.number().int() })),
    skipped: z.array(
      z.object({ day: z.iso.date(), reason: z.enum(['open', 'older_than_retention', 'no_hits']) }),
    ),
    ran: z.boolean().openapi({ description: 'false: another node is doing it' }),
  })
  .openapi('Rollup');

const networksSchema = z
  .object({
    items: z.array(
      z.object({
        asn: z.number().int().openapi({ description: 'Number of the network' }),
        name: z.string(),
      }),
    ),
  })
  .openapi('Networks');

export function reportRoutes({ properties, reports, register = REPORTS }: ReportRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);
  api.route('/', registeredRoutes(register, reports, properties));
  api.route('/', sitemapRoutes(reports, find));

  api.openapi(
    createRoute({
      method: 'get',
      path: '/networks',
      tags: ['reports'],
      summary: 'Names of the networks that visits often come from, by number; others have none here',
      responses: { 200: json(networksSchema) },
    }),
    // They change with the service's version alone.
    (c) => c.json({ items: networkNames() }, 200, { 'Cache-Control': 'private, max-age=3600' }),
  );

  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'post',
      path: '/rollup',
      tags: ['installation'],
      summary: 'Count closed days into daily rows: those with new hits, or one day',
      request: { body: body(z.object({ date: z.string().max(10).optional() })) },
      responses: {
        200: json(rollupSchema),
        403: problemResponse('Not the admin token'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      if (c.get('caller').scope.kind !== 'all')
        throw new ServiceError('forbidden', 'Only the admin token may count the days of every property.');
      return c.json(await reports.rollup.run(c.req.valid('json').date), 200);
    },
  );
  return api;
}
