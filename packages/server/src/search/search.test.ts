/** The search: real stores for visits, and lists that say what they were asked for the rest, which has tests of its own. */
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiEnv, type Caller, DEFAULT_ORGANIZATION_ID, ServiceError } from '../common/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { createProperties } from '../properties/index.ts';
import { openPlace, type Place, type ZonedSite } from '../reports/testing/place.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { searchRoutes } from './routes.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
const DAY = 86_400_000;
let databases: TestDatabases;
let store: TestWarehouse;
let place: Place;
let shop: ZonedSite;
let other: ZonedSite;
let warehouseIsAway = false;
const asked: { list: string; property: string; q: string | undefined; days: number; limit: number }[] = [];

type Routes = Parameters<typeof searchRoutes>[0];
let app: Hono<ApiEnv>;
const caller: Caller = {
  ...{ kind: 'token', role: 'viewer', actor: 'test', propertyId: null },
  scope: { kind: 'organization', id: DEFAULT_ORGANIZATION_ID },
};

beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
  const fresh = await databases.backends[0]?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  const database = await fresh.node();
  const warehouse: typeof store.warehouse = {
    ...store.warehouse,
    rows: async (...statement) => {
      if (warehouseIsAway) throw new WarehouseUnavailable('away');
      return await store.warehouse.rows(...statement);
    },
  };
  place = openPlace({ warehouse, database, clock: () => NOW });
  [shop, other] = [await place.zoned('UTC'), await place.zoned('Asia/Tokyo')];
  const hits = (bot: string, vendor: string, path: string, count: number, more = {}) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ bot_name: bot, vendor, path, at: NOW - index * 1_000, class: 'ai_bot' as const },
      ...more,
    }));
  await place.put(shop, [
    ...hits('GPTBot', 'OpenAI', '/blog/lamps', 3),
    ...hits('ChatGPT-User', 'OpenAI', '/shop/LAMPS', 5),
    ...hits('ClaudeBot', 'Anthropic', '/lamps', 1),
    ...hits('ClaudeBot', 'Anthropic', "/it's 100%_\\'", 1),
    ...hits('CCBot', 'Common Crawl', '/old-lamps', 9, { at: NOW - 100 * DAY }),
    ...hits('Bytespider', 'ByteDance', '/lamps-for-fakes', 1, { verified: false }),
  ]);
  await place.put(other, hits('GPTBot', 'OpenAI', '/lamps/of/another', 20));
  const list =
    (name: string, row: object) =>
    async (
      { id }: { id: string },
      { q, from, to }: { q?: string; from: number; to: number },
      page: { limit: number },
    ) => {
      asked.push({ list: name, property: id, q, days: (to - 1 - from) / DAY, limit: page.limit });
      return { items: [row], next: null };
    };
  const at = { occurred_at: NOW, created_at: NOW };
  app = new Hono<ApiEnv>();
  app.onError((error) =>
    error instanceof ServiceError
      ? Response.json({ code: error.code }, { status: error.code === 'not_found' ? 404 : 422 })
      : Response.json({ error: String(error) }, { status: 500 }),
  );
  app.use((c, next) => {
    c.set('caller', caller);
    return next();
  });
  app.route(
    '/',
    searchRoutes({
      properties: createProperties(database, { clock: () => NOW }),
      reports: place.reports,
      conversions: {
        list: list('conversions', {
          id: 'cnv_1',
          conversion_id: 'A-1',
          topic: 'purchase',
          value: '9.90',
          currency: 'EUR',
          ...at,
        }),
      },
      forwarding: {
        deliveries: {
          list: list('deliveries', {
            id: 'dlv_1',
            conversion_id: 'A-1',
            platform: 'meta',
            name: 'Ads',
            state: 'dead',
            ...at,
          }),
        },
        destinations: {
          list: async () =>
            ['Ads', 'Newsletter', ...Array.from({ length: 20 }, (_, index) => `Shop ${index}`)].map(
              (name) => ({
                row: { id: `dst_${name}`, name, platform: 'meta' },
              }),
            ),
        },
      },
      clock: () => NOW,
    } as unknown as Routes),
  );
});
afterAll(async () => {
  await place.reports.close();
  await store.close();
  await databases.close();
});

interface Found {
  readonly bots: readonly { bot: string }[];
  readonly paths: readonly { path: string; hits: number }[];
  readonly conversions: readonly { conversion_id: string }[];
  readonly destinations: readonly { name: string }[];
  readonly incomplete: readonly string[];
}
const ask = (q: string, id = shop.id) =>
  app.request(`/properties/${id}/search?${new URLSearchParams({ q })}`);
const find = async (q: string): Promise<Found> => {
  const answer = await ask(q);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Found;
};

describe('a search', () => {
  it('finds paths in any letter case: what begins with the text first, then by visits; of 84 days and one property', async () => {
    const { paths } = await find('/LAMPS');
    expect(paths.map(({ path, hits }) => [path, hits])).toEqual([
      ['/lamps', 1],
      ['/lamps-for-fakes', 1],
      ['/shop/LAMPS', 5],
      ['/blog/lamps', 3],
    ]);
  });

  it('finds bots by name and by vendor', async () => {
    const names = async (q: string) => (await find(q)).bots.map(({ bot }) => bot);
    expect(await names('gpt')).toEqual(['GPTBot', 'ChatGPT-User']);
    expect(await names('openai')).toEqual(['ChatGPT-User', 'GPTBot']);
    expect(await names('common crawl')).toEqual([]);
  });

  it('takes any text for text alone', async () => {
    for (const q of ["it's 100%_\\'", '100%_', "_\\'"]) {
      const { paths } = await find(q);
      expect(
        paths.map(({ path }) => path),
        q,
      ).toEqual(["/it's 100%_\\'"]);
    }
    for (const q of ['%%', "' OR 1=1 --", '{text:String}']) expect((await find(q)).paths, q).toEqual([]);
  });

  it('asks the lists of this property alone for few rows of 90 days', async () => {
    asked.length = 0;
    expect((await find('A-1')).conversions).toMatchObject([{ conversion_id: 'A-1', value: '9.90' }]);
    const one = { property: shop.id, q: 'A-1', days: 90, limit: 6 };
    expect(asked.sort((a, b) => a.list.localeCompare(b.list))).toEqual([
      { list: 'conversions', ...one },
      { list: 'deliveries', ...one },
    ]);
    expect((await find('shop')).destinations).toHaveLength(6);
    expect((await find('newsl')).destinations).toMatchObject([{ name: 'Newsletter' }]);
  });

  it('is refused for another property, for one character, and for a book', async () => {
    expect((await ask('lamps', '11111111-1111-4111-8111-111111111111')).status).toBe(404);
    for (const q of ['', 'a', ' a ', 'a'.repeat(201)]) expect((await ask(q)).status, q.slice(0, 9)).toBe(422);
  });

  it('answers without visits while the warehouse is down, and says so', async () => {
    warehouseIsAway = true;
    const found = await find('A-1');
    warehouseIsAway = false;
    expect(found).toMatchObject({ bots: [], paths: [], conversions: [{}], incomplete: ['visits'] });
  });
});
