/** What came of it: Recent Activity, conversions, the attribution report. */
import type { CalendarUnit } from '@ghostlight/core/periods';
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Bound,
  type Clock,
  type ComparedWith,
  compareFromOf,
  createApi,
  createFileAnswers,
  dateOf,
  datesOf,
  daysOf,
  daysOfNamed,
  fileContent,
  fileName,
  givenParameters,
  idParam,
  json,
  namedPeriod,
  narrowing,
  periodOf,
  periodSchema,
  problemResponse,
  ServiceError,
  unknownParameters,
} from '../common/index.ts';
import type { FindProperty } from '../properties/index.ts';
import { conversionFile } from './conversion-file.ts';
import { hasHours, hoursOf } from './hours.ts';
import type { Webhooks } from './index.ts';
import * as schemas from './schemas.ts';
import { activityView, conversionDetailView, conversionView, requestView } from './views.ts';

const PATH = '/properties/{id}';
const tags = ['conversions'];
const absent = problemResponse('No such property, or nothing of that id');
const requestParam = idParam.extend({
  request_id: z.guid('Enter the id of a request.').openapi({ param: { name: 'request_id', in: 'path' } }),
});
const conversionParam = idParam.extend({
  conversion_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'conversion_id', in: 'path' }, description: 'Ours: `cnv_…`' }),
});
const reportParameters = narrowing.extend(schemas.reportQuerySchema.shape);
const productParameters = narrowing
  .extend(periodSchema.shape)
  .extend(namedPeriod.shape)
  .extend(schemas.facetsSchema.shape);
const status = z.enum(['success', 'auth_error', 'validation_error', 'rate_limited']).optional();

interface AskedDays {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  /** Of the calendar that the period is, where it was named. */
  readonly unit: CalendarUnit | null;
}

/** @throws ServiceError `invalid` */
function daysAsked(
  asked: Parameters<typeof daysOfNamed>[0] & Omit<AskedDays, 'unit'>,
  today: number,
): AskedDays {
  const named = daysOfNamed(asked, today);
  if (named === null) return { from: asked.from, to: asked.to, unit: null };
  return { from: { day: named.from }, to: { day: named.to }, unit: named.unit };
}

/** @returns null: no comparison was asked for @throws ServiceError `invalid` */
function comparedDays(asked: ComparedWith, { from, to, unit }: AskedDays) {
  const isAsked = asked.compare_from !== undefined || (asked.compare ?? 'none') !== 'none';
  if (!isAsked) return null;
  if (typeof from !== 'object' || typeof to !== 'object')
    throw new ServiceError('invalid', 'Only days are compared.', {
      errors: [
        { pointer: '/from', message: 'Use a "period", or "from" and "to" as days such as 2026-11-21.' },
      ],
    });
  const range = { from: from.day, to: to.day };
  const compareFrom = compareFromOf(asked, range, unit);
  return compareFrom === null ? null : { ...range, compareFrom };
}

export function conversionRoutes(
  webhooks: Pick<
    Webhooks,
    'activity' | 'conversions' | 'report' | 'comparison' | 'keptFrom' | 'byEngine' | 'products'
  >,
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
      const filter = await webhooks.byEngine(property, period).narrowed(facets);
      if (format !== 'json')
        return (await answerFile({
          ...{ request: c.req.raw, format, timeZone: property.timeZone },
          name: fileName(property.domain, 'conversions', datesOf(period, daysOf(property), clock())),
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
      request: { params: idParam, query: reportParameters },
      responses: { 200: json(schemas.reportSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { organization, interval, compare, compare_from, ...query } = c.req.valid('query');
      const { period: name, from, to, model, by, ...facets } = query;
      const ignored = unknownParameters(givenParameters(c.req.url), Object.keys(reportParameters.shape));
      const property = await find(c);
      const calendar = daysOf(property);
      const today = calendar.dayAt(clock());
      const asked = daysAsked({ period: name, from, to }, today);
      const period = periodOf(asked.from, asked.to, clock(), calendar);
      const compared = comparedDays({ compare, compare_from }, asked);
      const days = interval !== undefined || compared !== null ? calendar : null;
      const byHour = interval === 'hour' && hasHours(period);
      const read = async (of: typeof period) => {
        const byEngine = webhooks.byEngine(property, of);
        const filter = await byEngine.narrowed(facets);
        return { byEngine, report: await webhooks.report(property, { ...filter, model, by, days, byHour }) };
      };
      const keptFrom = await webhooks.keptFrom(property);
      const { byEngine, report } = await read(period);
      const { detail, series, hours, ...answer } = report;
      const comparison =
        compared &&
        (await webhooks.comparison(property, {
          ...{ ...compared, days: calendar, today, keptFrom, byHour, report },
          read: async (previous) => (await read(previous)).report,
        }));
      return c.json(
        {
          ...{ ...answer, series: interval === undefined ? [] : series, comparison },
          hours: byHour ? { ...hoursOf(period, clock()), points: hours ?? [] } : null,
          ...{ engines: await byEngine.engines(), time_zone: property.timeZone },
          ...{ kept_since: dateOf(keptFrom), ignored_parameters: ignored },
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/reports/products`,
      tags,
      summary: 'What was bought: the products of conversions, with quantity and value',
      request: { params: idParam, query: productParameters },
      responses: { 200: json(schemas.productsSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { organization, period: name, from, to, ...facets } = c.req.valid('query');
      const ignored = unknownParameters(givenParameters(c.req.url), Object.keys(productParameters.shape));
      const property = await find(c);
      const calendar = daysOf(property);
      const asked = daysAsked({ period: name, from, to }, calendar.dayAt(clock()));
      const period = periodOf(asked.from, asked.to, clock(), calendar);
      const filter = await webhooks.byEngine(property, period).narrowed(facets);
      return c.json({ ...(await webhooks.products(property, filter)), ignored_parameters: ignored }, 200);
    },
  );

  return api;
}
