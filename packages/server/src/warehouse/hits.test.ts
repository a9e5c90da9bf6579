import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  exportHits,
  hitSink,
  LIVE_OVERLAP_MS,
  LIVE_WINDOW_MS,
  type LiveRequest,
  lastArrivals,
  liveHits,
  liveSummary,
  storedCount,
  storedCounts,
} from './index.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  newScope,
  openTestWarehouse,
  type TestScope,
  type TestWarehouse,
} from './testing/warehouse.ts';

let test: TestWarehouse;
let now = NOON;
let scope: TestScope;
beforeAll(async () => {
  test = await openTestWarehouse({ clock: () => now, retentionDays: 18_250 });
});
afterAll(() => test.close());
beforeEach(() => {
  now = NOON;
  scope = newScope();
});

const put = (...hits: Parameters<typeof makeHit>[1][]) =>
  hitSink(test.warehouse).insert(makeBatch(hits.map((values) => makeHit(scope, values))));
const paths = (items: readonly { path: string }[]) => items.map(({ path }) => path);

describe('live', () => {
  it('shows what arrived within 30 minutes, newest arrival first, however old the visit', async () => {
    await put(
      { path: '/old-visit', at: NOON - 10 * 86_400_000, received_at: NOON - 1000 },
      { path: '/newest', received_at: NOON - 500 },
      { path: '/edge', received_at: NOON - LIVE_WINDOW_MS + 1 },
      { path: '/too-old', received_at: NOON - LIVE_WINDOW_MS },
    );
    const page = await liveHits(test.warehouse, scope);
    expect(paths(page.items)).toEqual(['/newest', '/old-visit', '/edge']);
    expect(page).toMatchObject({ cursor: NOON - 500, more: false });
    expect(page.items[0]).toMatchObject({ at: NOON, class: 'ai_bot', verified: null, source: 'edge_worker' });
  });

  it('filters by source, bot and verdict, and gives people no verdict', async () => {
    await put(
      { path: '/verified', verified: true, bot_name: 'ClaudeBot' },
      { path: '/spoofed', verified: false },
      { path: '/unknown', verified: null, source: 'edge_logpush' },
      { path: '/person', verified: null, class: 'ai_referral', bot_name: '' },
    );
    const asked = async (request: LiveRequest) =>
      paths((await liveHits(test.warehouse, scope, request)).items).toSorted();
    expect(await asked({ verified: 'true' })).toEqual(['/verified']);
    expect(await asked({ verified: 'false' })).toEqual(['/spoofed']);
    expect(await asked({ verified: 'unknown' })).toEqual(['/unknown']);
    expect(await asked({ bot: 'claudebot' })).toEqual(['/verified']);
    expect(await asked({ source: 'edge_logpush' })).toEqual(['/unknown']);
    expect(await asked({ bot: "x' OR 1=1 --" })).toEqual([]);
  });
  it('shows only the asked classes, at most the asked number', async () => {
    await put(
      { path: '/1', received_at: NOON - 3 },
      { path: '/2', received_at: NOON - 2, class: 'sample', sample_rate: 0.5, weight: 2 },
      { path: '/3', received_at: NOON - 1, class: 'ai_referral' },
    );
    expect(paths((await liveHits(test.warehouse, scope, { classes: ['sample', 'ai_bot'] })).items)).toEqual([
      '/2',
      '/1',
    ]);
    expect((await liveHits(test.warehouse, scope, { classes: [] })).items).toEqual([]);
    const first = await liveHits(test.warehouse, scope, { limit: 2 });
    expect(paths(first.items)).toEqual(['/3', '/2']);
    expect(first.more).toBe(true);
  });

  it('never shows another organization or property', async () => {
    await put({ path: '/mine' });
    const other = newScope();
    expect((await liveHits(test.warehouse, other)).items).toEqual([]);
    expect(
      (await liveHits(test.warehouse, { ...scope, organizationId: other.organizationId })).items,
    ).toEqual([]);
    expect((await liveHits(test.warehouse, { ...scope, attributionIds: [] })).items).toEqual([]);
  });

  it('reads the overlap again, so that a row stored late by another node is not lost', async () => {
    await put({ path: '/first', received_at: NOON - 5000 });
    const first = await liveHits(test.warehouse, scope);
    await put(
      { path: '/late', received_at: NOON - 5000 - LIVE_OVERLAP_MS + 1 },
      { path: '/later', received_at: NOON - 4000 },
      { path: '/too-late', received_at: NOON - 5000 - LIVE_OVERLAP_MS },
    );
    const next = await liveHits(test.warehouse, scope, {
      after: first.cursor,
      seen: first.items.map(({ id }) => id),
    });
    expect(paths(next.items)).toEqual(['/later', '/late']);
    expect(next.cursor).toBe(NOON - 4000);
    const quiet = await liveHits(test.warehouse, scope, {
      after: next.cursor,
      seen: [...first.items, ...next.items].map(({ id }) => id),
    });
    expect(quiet).toEqual({ items: [], cursor: next.cursor, more: false });
  });

  it('pages back without a gap or a repeat, also where arrivals share a millisecond', async () => {
    await put(
      ...Array.from({ length: 25 }, (_, index) => ({ path: `/${index}`, received_at: NOON - (index >> 3) })),
    );
    const seen: string[] = [];
    let before: { received_at: number; id: string } | undefined;
    for (let more = true; more; ) {
      const page = await liveHits(test.warehouse, scope, {
        limit: 4,
        ...(before === undefined ? {} : { before }),
      });
      seen.push(...paths(page.items));
      before = page.items.at(-1);
      more = page.more;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  it('takes a seen list far longer than a URL usually is', async () => {
    await put({ path: '/1' });
    const seen = Array.from({ length: 5000 }, () => newScope().organizationId);
    expect((await liveHits(test.warehouse, scope, { seen })).items).toHaveLength(1);
  });

  it('reads the recent granules of a property, not its history', async () => {
    for (let start = 0; start < 40_000; start += 10_000) {
      const received = (index: number) => NOON - 86_400_000 + start + index;
      await put(
        ...Array.from({ length: 10_000 }, (_, index) => ({
          at: received(index),
          received_at: received(index),
        })),
      );
    }
    await put({ path: '/now' });
    // One part: how many there are depends on merges, and each adds a granule.
    await test.warehouse.command({ sql: 'OPTIMIZE TABLE hits FINAL' });
    const [plan] = await test.warehouse.rows<{ plan: string }>('live', {
      sql: `SELECT arrayStringConcat(groupArray(explain), '\n') AS plan FROM (EXPLAIN indexes = 1 SELECT id FROM hits
WHERE organization_id = {organization:UUID} AND attribution_id IN {properties:Array(UUID)} AND received_at > fromUnixTimestamp64Milli({from:Int64}))`,
      params: {
        organization: scope.organizationId,
        properties: scope.attributionIds,
        from: NOON - LIVE_WINDOW_MS,
      },
    });
    const skip = /received_at_range[\s\S]*?Granules: (\d+)\/(\d+)/.exec(plan?.plan ?? '');
    expect(Number(skip?.[1])).toBeLessThanOrEqual(2);
    expect(Number(skip?.[2])).toBeGreaterThanOrEqual(5);
  });
});

describe('the summary of live', () => {
  const sums = async (whose: TestScope, filter: LiveRequest = {}) =>
    (await liveSummary(test.warehouse, whose, filter)).totals;

  it('counts every row of the window per minute and class, far beyond what a list holds', async () => {
    now = NOON + 20_500;
    const at = (time: number) => ({ at: time, received_at: time });
    await put(
      ...Array.from({ length: 2_500 }, () => ({ ...at(NOON + 1_000), verified: true })),
      { ...at(NOON + 2_000), verified: false },
      { ...at(NOON - 1), class: 'sample' as const, verified: null, sample_rate: 0.1, weight: 10 },
      { ...at(NOON - 60_000), class: 'ai_referral' as const, verified: null },
      // Of an import: it arrives now, and is of the day before.
      { received_at: NOON - 60_000, at: NOON - 86_400_000, path: '/imported' },
      { ...at(NOON), class: 'test' as const },
      { ...at(NOON - 29 * 60_000), verified: null },
      { ...at(NOON - 29 * 60_000 - 1), path: '/in-the-first-minutes-rest' },
      { ...at(now - LIVE_WINDOW_MS), path: '/too-old' },
      { ...at(now + 90_000), class: 'ai_referral' as const, path: '/clock-ahead' },
    );
    const { from, to, totals, minutes } = await liveSummary(test.warehouse, scope);
    expect([from, to]).toEqual([now - LIVE_WINDOW_MS, now]);
    expect(totals).toEqual({
      ai_bot: 2_503,
      ai_referral: 2,
      sample: 1,
      search_engine: 0,
      event: 0,
      spoofed: 1,
    });
    expect(minutes.map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_, index) => NOON - (29 - index) * 60_000),
    );
    const busy = minutes.filter(({ ai_bot, ai_referral, sample }) => ai_bot + ai_referral + sample > 0);
    expect(busy).toEqual([
      {
        at: NOON - 29 * 60_000,
        ai_bot: 1,
        ai_referral: 0,
        sample: 0,
        search_engine: 0,
        event: 0,
        spoofed: 0,
      },
      { at: NOON - 60_000, ai_bot: 0, ai_referral: 1, sample: 1, search_engine: 0, event: 0, spoofed: 0 },
      { at: NOON, ai_bot: 2_501, ai_referral: 1, sample: 0, search_engine: 0, event: 0, spoofed: 1 },
    ]);
  });

  it('filters as the list does, and never counts another organization or property', async () => {
    await put(
      { verified: true, bot_name: 'ClaudeBot' },
      { verified: false },
      { verified: null, source: 'edge_logpush' },
      { verified: null, class: 'ai_referral', bot_name: '' },
    );
    expect(await sums(scope)).toEqual({
      ai_bot: 3,
      ai_referral: 1,
      sample: 0,
      search_engine: 0,
      event: 0,
      spoofed: 1,
    });
    expect(await sums(scope, { classes: ['ai_referral'] })).toMatchObject({ ai_bot: 0, ai_referral: 1 });
    expect(await sums(scope, { source: 'edge_logpush' })).toMatchObject({ ai_bot: 1, ai_referral: 0 });
    expect(await sums(scope, { bot: 'claudebot' })).toMatchObject({ ai_bot: 1, spoofed: 0 });
    expect(await sums(scope, { verified: 'false' })).toMatchObject({ ai_bot: 1, spoofed: 1 });
    const none = { ai_bot: 0, ai_referral: 0, sample: 0, search_engine: 0, event: 0, spoofed: 0 };
    expect(await sums(scope, { classes: [] })).toEqual(none);
    expect(await sums(newScope())).toEqual(none);
    expect(await sums({ ...scope, organizationId: newScope().organizationId })).toEqual(none);
  });
});

describe('export', () => {
  it('gives every hit of the range once, in pages', async () => {
    await put(...Array.from({ length: 103 }, (_, index) => ({ path: `/${index}`, at: NOON + (index >> 2) })));
    const pages: string[][] = [];
    for await (const page of exportHits(test.warehouse, scope, { from: NOON, to: NOON + 25, pageRows: 10 })) {
      pages.push(paths(page));
    }
    expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: 10 }, () => 10)]);
    expect(new Set(pages.flat()).size).toBe(100);
  });

  it('keeps to the class, the property and the organization', async () => {
    await put({ path: '/a' }, { path: '/b', class: 'ai_referral' });
    const collect = async (whose: TestScope, classes?: readonly ['ai_referral'] | readonly []) => {
      const found: string[] = [];
      const range = { from: NOON - 1, to: NOON + 1 };
      for await (const page of exportHits(
        test.warehouse,
        whose,
        classes === undefined ? range : { ...range, classes },
      )) {
        found.push(...paths(page));
      }
      return found.toSorted();
    };
    expect(await collect(scope)).toEqual(['/a', '/b']);
    expect(await collect(scope, ['ai_referral'])).toEqual(['/b']);
    expect(await collect(scope, [])).toEqual([]);
    expect(await collect({ ...scope, organizationId: newScope().organizationId })).toEqual([]);
  });
});

it('tells per source what arrived last, and how much within a day', async () => {
  await put(
    { received_at: NOON - 2 * 86_400_000, host: 'old.example' },
    { received_at: NOON - 1000, host: 'new.example', bot_name: 'ClaudeBot', worker_version: '2.0.0' },
    { received_at: NOON - 2000, host: 'before.example' },
    { received_at: NOON - 2 * 86_400_000, source: 'edge_logpush', worker_version: '' },
  );
  expect(await lastArrivals(test.warehouse, scope)).toEqual([
    {
      source: 'edge_worker',
      last_received_at: NOON - 1000,
      bot_name: 'ClaudeBot',
      class: 'ai_bot',
      user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
      host: 'new.example',
      worker_version: '2.0.0',
      count_24h: 2,
    },
    expect.objectContaining({
      source: 'edge_logpush',
      last_received_at: NOON - 2 * 86_400_000,
      count_24h: 0,
    }),
  ]);
  expect(await lastArrivals(test.warehouse, newScope())).toEqual([]);
});

it('counts everything stored, for the conservation law', async () => {
  const before = await storedCount(test.warehouse);
  await put({}, { class: 'ai_referral' }, { source: 'edge_logpush' });
  expect(await storedCount(test.warehouse)).toBe(before + 3);
  expect(await storedCounts(test.warehouse)).toContainEqual({
    source: 'edge_logpush',
    class: 'ai_bot',
    count: expect.any(Number),
  });
});
