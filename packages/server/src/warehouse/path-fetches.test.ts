import { afterAll, beforeAll, expect, it } from 'vitest';
import { daysIn } from '../common/index.ts';
import { hitSink, pathFetches } from './index.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  newScope,
  openTestWarehouse,
  type TestWarehouse,
} from './testing/warehouse.ts';

const DAY = 86_400_000;
const PATH = '/.well-known/webmcp.json';
let test: TestWarehouse;
beforeAll(async () => {
  test = await openTestWarehouse({ clock: () => NOON, retentionDays: 18_250 });
});
afterAll(() => test.close());

it('counts who fetched a path, each sample for what it stands for, day by day and for one scope alone', async () => {
  const [scope, other] = [newScope(), newScope()];
  const now = test.warehouse.clock();
  const today = Math.floor(now / DAY) * DAY;
  const bot = { path: PATH, class: 'ai_bot', bot_name: 'ChatGPT-User', verified: true } as const;
  const hits = [
    makeHit(scope, { ...bot, at: today }),
    makeHit(scope, { ...bot, at: today - DAY }),
    makeHit(scope, { ...bot, at: today - DAY, verified: null }),
    makeHit(scope, {
      path: PATH,
      class: 'sample',
      bot_name: '',
      verified: null,
      at: today - DAY,
      weight: 50,
      sample_rate: 0.02,
    }),
    makeHit(scope, { ...bot, at: today - 2 * DAY - 1 }),
    makeHit(scope, { ...bot, path: `${PATH}x`, at: today }),
    makeHit(other, { ...bot, at: today }),
  ];
  await hitSink(test.warehouse).insert(makeBatch(hits));
  const { items, total, by_day } = await pathFetches(test.warehouse, scope, {
    path: PATH,
    days: 3,
    calendar: daysIn('UTC'),
  });
  expect(total).toBe(53);
  expect(items).toEqual([
    { agent: '', class: 'sample', verified: null, fetches: 50, last_at: today - DAY },
    { agent: 'ChatGPT-User', class: 'ai_bot', verified: true, fetches: 2, last_at: today },
    { agent: 'ChatGPT-User', class: 'ai_bot', verified: null, fetches: 1, last_at: today - DAY },
  ]);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  expect(by_day).toEqual([
    { day: day(today - 2 * DAY), fetches: 0 },
    { day: day(today - DAY), fetches: 52 },
    { day: day(today), fetches: 1 },
  ]);
  const nobody = await pathFetches(
    test.warehouse,
    { ...scope, attributionIds: [] },
    {
      ...{ path: PATH, days: 1, calendar: daysIn('UTC') },
    },
  );
  expect(nobody).toMatchObject({ items: [], total: 0 });
});

it('counts by the days of the property’s zone, a short and a long one among them', async () => {
  const scope = newScope();
  // Noon of 2026-03-31 in Auckland is 2026-03-30 23:00 UTC; Berlin’s clocks went forward on the 29th.
  const at = (time: string) => Date.parse(time);
  const fetched = [
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00.000Z',
    '2026-03-30T21:59:59.999Z',
    '2026-03-30T22:00:00.000Z',
  ];
  await hitSink(test.warehouse).insert(
    makeBatch(fetched.map((time) => makeHit(scope, { path: PATH, at: at(time) }))),
  );
  const warehouse = { ...test.warehouse, clock: () => at('2026-03-30T23:00:00Z') };
  const byDay = async (zone: string) =>
    (await pathFetches(warehouse, scope, { path: PATH, days: 4, calendar: daysIn(zone) })).by_day.map(
      ({ day, fetches }) => [day, fetches],
    );
  expect(await byDay('Europe/Berlin')).toEqual([
    ['2026-03-28', 1],
    ['2026-03-29', 2],
    ['2026-03-30', 2],
    ['2026-03-31', 1],
  ]);
  expect(await byDay('Pacific/Auckland')).toEqual([
    ['2026-03-28', 0],
    ['2026-03-29', 2],
    ['2026-03-30', 2],
    ['2026-03-31', 2],
  ]);
});
