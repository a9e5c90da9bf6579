/** What came of it: Recent Activity, conversions, the attribution report. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Clock,
  createApi,
  createFileAnswers,
  daysOf,
  fileContent,
  idParam,
  json,
  narrowing,
  periodOf,
  periodSchema,
  problemResponse,
} from '../common/index.ts';
import type { FindProperty } from '../properties/index.ts';
import { conversionFile } from './conversion-file.ts';
import type { Webhooks } from './index.ts';
import * as schemas from './schemas.ts';
import { activityView, conversionDetailView, conversionView, requestView } from './views.ts';

const PATH = '/properties/{id}';
const tags = ['conversions'];
const absent = problemResponse('No such property, or nothing of that id');
const requestParam = idParam.extend({
  request_id: z.guid('Give the id of a request.').openapi({ param: { name: 'request_id', in: 'path' } }),
});
const conversionParam = idParam.extend({
  conversion_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'conversion_id', in: 'path' }, description: 'Ours: `cnv_…`' }),
});
const status = z.enum(['success', 'auth_error', 'validation_error', 'rate_limited']).optional();

export function conversionRoutes(
  webhooks: Pick<Webhooks, 'activity' | 'conversions' | 'report' | 'byEngine' | 'products'>,
  find: FindProperty,
  clock: Clock,
): Api {
  const api = createApi();
  const answerFile = createFileAnswers();

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/webhooks/activity`,
      tags,
      summary: 'Recent Activity: the newest 20 requests, or the newest 20 with this `status`',
      request: { params: idParam, query: narrowing.extend({ status }) },
      responses: { 200: json(schemas.activitySchema), 404: absent },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const property = await find(c);
      const rows = await webhooks.activity.list(property, query.status);
      return c.json({ items: rows.map(activityView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/webhooks/activity/{request_id}`,
      tags,
      summary: 'What was received, its outcome, and why it was matched or not',
      request: { params: requestParam, query: narrowing },
      responses: { 200: json(schemas.requestSchema), 404: absent },
    }),
    async (c) => {
      const { request_id: requestId } = c.req.valid('param');
      const property = await find(c);
      return c.json(requestView(await webhooks.activity.get(property, requestId)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/conversions`,
      tags,
      summary: 'Conversions, newest first',
      request: { params: idParam, query: narrowing.extend(schemas.listQuerySchema.shape) },
      responses: {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: schemas.conversionsSchema }, ...fileContent },
        },
        ...{ 404: absent, 422: problemResponse('Not accepted') },
      },
    }),
    async (c) => {
      const { organization, limit, after, from, to, format, ...facets } = c.req.valid('query');
      const property = await find(c);
      const period = periodOf(from, to, clock(), daysOf(property));
      const filter = await webhooks.byEngine.narrowed(property, { ...facets, ...period });
      if (format !== 'json')
        return (await answerFile({
          ...{ request: c.req.raw, name: 'conversions', format, timeZone: property.timeZone },
          pieces: (signal) => conversionFile(webhooks.conversions, property, filter, format, signal),
        })) as never;
      const page = await webhooks.conversions.list(property, filter, { limit, after });
      return c.json({ items: page.items.map(conversionView), next: page.next }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/conversions/{conversion_id}`,
      tags,
      summary: 'One conversion with its visitor’s journey',
      request: { params: conversionParam, query: narrowing },
      responses: { 200: json(schemas.conversionDetailSchema), 404: absent },
    }),
    async (c) => {
      const { conversion_id: conversionId } = c.req.valid('param');
      const property = await find(c);
      return c.json(conversionDetailView(await webhooks.conversions.get(property, conversionId)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/reports/attribution`,
      tags,
      summary: 'Conversions and their value by channel, campaign or source, minus refunds',
      request: { params: idParam, query: narrowing.extend(schemas.reportQuerySchema.shape) },
      responses: { 200: json(schemas.reportSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { organization, from, to, interval, ...asked } = c.req.valid('query');
      const property = await find(c);
      const period = periodOf(from, to, clock(), daysOf(property));
      const days = interval === 'day' ? daysOf(property) : null;
      const { model, by, ...facets } = asked;
      const filter = await webhooks.byEngine.narrowed(property, { ...facets, ...period });
      const report = await webhooks.report(property, { ...filter, model, by, days });
      const engines = await webhooks.byEngine.engines(property, period);
      return c.json({ ...report, engines, time_zone: property.timeZone }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/reports/products`,
      tags,
      summary: 'What was bought: the products of conversions, with quantity and value',
      request: {
        params: idParam,
        query: narrowing.extend(periodSchema.shape).extend(schemas.facetsSchema.shape),
      },
      responses: { 200: json(schemas.productsSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { organization, from, to, ...facets } = c.req.valid('query');
      const property = await find(c);
      const period = periodOf(from, to, clock(), daysOf(property));
      const filter = await webhooks.byEngine.narrowed(property, { ...facets, ...period });
      return c.json(await webhooks.products(property, filter), 200);
    },
  );

  return api;
}
