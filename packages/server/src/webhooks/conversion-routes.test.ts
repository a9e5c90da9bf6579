/** What the reports of conversions make of their queries. */
import { Hono } from 'hono';
import { beforeEach, expect, it } from 'vitest';
import { type ApiEnv, dayOf, ServiceError } from '../common/index.ts';
import type { Property } from '../properties/index.ts';
import type { ComparedQuery } from './compared.ts';
import { conversionRoutes } from './conversion-routes.ts';
import type { ProductsQuery } from './products.ts';
import type { ReportQuery } from './report.ts';

const property: Property = {
  ...{ id: '00000000-0000-4000-8000-000000000001', organizationId: '00000000-0000-4000-8000-000000000002' },
  ...{ name: 'Shop', domain: 'x.example', searchEngines: false, timeZone: 'UTC', zoneSince: null },
  ...{ recountAskedAt: null, createdAt: 0, updatedAt: 0 },
};
/** A Sunday. */
const NOW = Date.parse('2026-11-22T12:00:00Z');
let reported: ReportQuery[] = [];
let compared: ComparedQuery[] = [];
let bought: ProductsQuery[] = [];
const app = new Hono<ApiEnv>();
app.onError((error, c) => {
  if (!(error instanceof ServiceError)) throw error;
  return c.json({ code: error.code, errors: error.errors }, 422);
});
const unasked = () => {
  throw new Error('is not asked');
};
app.route(
  '/',
  conversionRoutes(
    {
      activity: { list: unasked, get: unasked, counts: unasked },
      products: async (_owner, query) => {
        bought.push(query);
        const totals = { with_products: 0, conversions: 0, products: 0 };
        return { items: [], totals, cut: false };
      },
      conversions: { list: unasked, get: unasked } as never,
      report: async (_owner, query) => {
        reported.push(query);
        const totals = { conversions: '0', matched: '0', values: [], refunds: [] };
        return { rows: [], series: [], totals, cut: false, detail: {} as never };
      },
      comparison: async (_owner, query) => {
        compared.push(query);
        return null as never;
      },
      keptFrom: async () => dayOf('2026-10-23'),
      byEngine: (_owner, period) => ({
        narrowed: async (facets) => ({ ...period, ...facets }),
        engines: async () => [],
      }),
    },
    async () => property,
    () => NOW,
  ),
);
const ask = async (query: string, report = 'attribution') => {
  const answer = await app.request(`/properties/${property.id}/reports/${report}?${query}`);
  return { status: answer.status, body: await answer.json() };
};
beforeEach(() => {
  reported = [];
  compared = [];
  bought = [];
});

it('is about a period by name, which is compared by the calendar', async () => {
  expect((await ask('period=this_month&compare=previous')).status).toBe(200);
  expect(reported[0]).toMatchObject({ from: Date.parse('2026-11-01'), to: Date.parse('2026-11-23') });
  expect(compared[0]).toMatchObject({ from: dayOf('2026-11-01'), compareFrom: dayOf('2026-10-01') });
  expect(await ask('period=this_month&from=2026-11-01')).toMatchObject({
    ...{ status: 422, body: { errors: [{ pointer: '/period' }] } },
  });
  expect((await ask('period=next_month')).status).toBe(422);
});

it('reads the query of the report of products in the same way', async () => {
  expect(await ask('period=last_month&_=1', 'products')).toMatchObject({
    ...{ status: 200, body: { ignored_parameters: ['_'] } },
  });
  expect(bought).toMatchObject([{ from: Date.parse('2026-10-01'), to: Date.parse('2026-11-01') }]);
  for (const query of ['format=csv', 'chanel=email', 'period=today&to=2026-11-22'])
    expect((await ask(query, 'products')).status).toBe(422);
});

it('says from when on its days are whole', async () => {
  expect(await ask('from=2026-10-01&to=2026-10-31')).toMatchObject({ body: { kept_since: '2026-10-23' } });
});

it('has no file, refuses a misspelt parameter, and names those that it passes over', async () => {
  for (const [query, pointer] of [
    ['format=csv', '/format'],
    ['chanel=email', '/chanel'],
  ] as const)
    expect(await ask(query)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  expect(await ask('format=json&_=1')).toMatchObject({ status: 200, body: { ignored_parameters: ['_'] } });
});

it.each([
  ['from=0001-01-01&to=0001-01-02&compare=year', '/from'],
  ['from=0000-01-01&to=0000-01-02&compare=previous', '/from'],
  ['from=2026-11-01&to=2026-11-02&compare_from=2026-11-01', '/compare_from'],
  ['from=2026-11-01T00:00:00Z&to=2026-11-02&compare=year', '/from'],
])('names what can’t be compared by what was sent: %s', async (query, pointer) => {
  expect(await ask(query)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
});
