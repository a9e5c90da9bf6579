import { afterAll, beforeAll, expect, it } from 'vitest';
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
  const { items, total, by_day } = await pathFetches(test.warehouse, scope, { path: PATH, days: 3 });
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
  const nobody = await pathFetches(test.warehouse, { ...scope, attributionIds: [] }, { path: PATH, days: 1 });
  expect(nobody).toMatchObject({ items: [], total: 0 });
});
