import { randomUUID } from 'node:crypto';
import type { StoredHit } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import collectorPackage from '../../../collector/package.json' with { type: 'json' };
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { byVersion, LATEST_COLLECTOR } from './catalog/collectors-report.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
const DAY = 86_400_000;
let databases: TestDatabases;
let store: TestWarehouse;
let database: Database;
let place: Place;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
  const [sqlite] = databases.backends;
  const fresh = await sqlite?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  database = await fresh.node();
  place = openPlace({ ...store, database, clock: () => NOW, attribution });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await databases.close();
});

/** Conversions as the webhooks room adds them up. */
const attribution: NonNullable<Parameters<typeof openPlace>[0]['attribution']> = async () => ({
  rows: [
    ['chatgpt.com', '2', '40.50'],
    ['ChatGPT', '0.5', '9.50'],
    ['google', '7', '70.00'],
  ].map(([key = '', conversions = '', value = '']) => ({
    ...{ key, conversions, platform: null, refunds: [] },
    values: [{ currency: 'EUR', value }],
  })),
  totals: { conversions: '9.5', values: [], refunds: [], matched: '9' },
  ...{ series: [], detail: { daily: new Map(), ordersIn: () => 0, isWithout: () => true }, cut: false },
});

const sample = (rate: number): Partial<StoredHit> => ({
  ...{ class: 'sample', bot_name: '', vendor: '', engine: '', intent: '', verified: null },
  ...{ sample_rate: rate, weight: 1 / rate },
});

interface Listed {
  readonly items: Record<string, unknown>[];
  readonly total: number;
}

describe('a list', () => {
  it('of bots is sorted and paged as the others are, though it is read whole', async () => {
    const site = place.site();
    const came = (bot: string, vendor: string, ...paths: string[]) =>
      paths.map((path) => ({ bot_name: bot, vendor, path, status: bot === 'Lost' ? 404 : 200 }));
    await place.put(site, [
      ...came('Busy', 'Two', '/a', '/a', '/a'),
      ...came('Curious', 'One', '/a', '/b'),
      ...came('Lost', 'One', '/gone'),
    ]);
    const bots = async (query: string) => {
      const { items, total } = await place.json<Listed>(site, `bots?${query}`);
      return [items.map(({ bot, vendor }) => bot || vendor), total];
    };
    expect(await bots('limit=2')).toEqual([['Busy', 'Curious'], 3]);
    expect(await bots('limit=2&page_number=2')).toEqual([['Lost'], 3]);
    expect(await bots('limit=2&page_number=9')).toEqual([[], 3]);
    // What was never answered well was not read.
    expect(await bots('sort=pages')).toEqual([['Curious', 'Busy', 'Lost'], 3]);
    expect(await bots('sort=bot&order=asc')).toEqual([['Busy', 'Curious', 'Lost'], 3]);
    expect(await bots('sort=errors')).toEqual([['Lost', 'Curious', 'Busy'], 3]);
    expect(await bots('sort=vendor&order=asc')).toEqual([['Curious', 'Lost', 'Busy'], 3]);
    expect(await bots('group=vendor')).toEqual([['One', 'Two'], 2]);
  });

  it('of failing pages and what to fix first are each in their own order', async () => {
    const site = place.site();
    const failed = (path: string, times: number, intent: StoredHit['intent']) =>
      Array.from({ length: times }, () => ({ path, intent, status: 404 }));
    await place.put(site, [
      ...failed('/crawled', 3, 'training'),
      ...failed('/awaited', 2, 'on_demand'),
      { path: '/awaited', status: 200 },
      { path: '/fine', status: 200 },
    ]);
    const { items, total, fix_first } = await place.json<
      Listed & { fix_first: { path: string; hits: number }[] }
    >(site, 'failures?limit=1');
    expect([items.map(({ path, hits }) => [path, hits]), total]).toEqual([[['/crawled', 3]], 2]);
    expect(fix_first.map(({ path, hits }) => [path, hits])).toEqual([
      ['/awaited', 3],
      ['/crawled', 3],
    ]);
    const beyond = await place.json<Listed & { fix_first: object[] }>(
      site,
      'failures?limit=1&page_number=9&sort=path',
    );
    expect([beyond.items, beyond.total, beyond.fix_first.length]).toEqual([[], 2, 2]);
  });

  it('is exported with its filters, every row once, whatever its words', async () => {
    const site = place.site();
    const words = fc
      .sample(fc.string({ unit: 'binary', maxLength: 20 }), 60)
      .map((text) => `/${text.toWellFormed()}`);
    await place.put(
      site,
      words.map((path) => ({ path })),
    );
    await place.put(site, [{ path: '/left-out', bot_name: 'ClaudeBot', vendor: 'Anthropic' }]);
    const lines = (await (await place.get(site, 'pages?format=ndjson&bot=gptbot')).text())
      .trimEnd()
      .split('\n');
    const paths = lines.map((line) => (JSON.parse(line) as { path: string }).path);
    expect(paths.toSorted()).toEqual([...new Set(words)].toSorted());
  });

  it('runs no formula in a spreadsheet', async () => {
    const site = place.site();
    const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a"b,c'];
    await place.put(
      site,
      hostile.map((bot) => ({ bot_name: bot, vendor: bot })),
    );
    const text = await (await place.get(site, 'trust?format=csv')).text();
    for (const cell of ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", '"\'\rx"', '"a""b,c"'])
      expect(text).toContain(`${cell},${cell},training,`);
    expect(text).not.toMatch(/^[=+@-]/m);
  });
});

it('the sitemap is not there for another organization', async () => {
  const [ours, theirs] = [randomUUID(), randomUUID()];
  const scoped = openPlace({
    ...{ ...store, database, clock: () => NOW },
    scope: { kind: 'organization', id: theirs },
  });
  const site = scoped.site(ours);
  expect((await scoped.get(site, 'sitemap')).status).toBe(404);
  expect((await scoped.get(site, `sitemap?organization=${ours}`)).status).toBe(404);
});

it('reads hits of its organization alone, in raw and in counted days, even of the same property', async () => {
  const site = place.site();
  const foreign: Site = { id: site.id, organizationId: randomUUID() };
  for (const at of [NOW, NOW - 3 * DAY]) {
    await place.put(site, [{ at }]);
    await place.put(foreign, [
      { at },
      { at, class: 'ai_referral', referrer_engine: 'ChatGPT' },
      { at, ...sample(0.5) },
    ]);
  }
  const seen = async () => [
    (await place.json<{ totals: { hits: number } }>(site, 'bots')).totals.hits,
    (await place.json<{ totals: { visits: number } }>(site, 'referrals')).totals.visits,
    (await place.json<{ collector_hits: number }>(site, 'ai-share')).collector_hits,
  ];
  expect(await seen()).toEqual([2, 0, 2]);
  await place.reports.rollup.run();
  expect(await seen()).toEqual([2, 0, 2]);
});

it.each([
  ['from=2026-02-30', '/from'],
  ['from=yesterday', '/from'],
  ['to=2026-03-17', '/to'],
  ['from=2026-03-16&to=2026-03-15', '/from'],
  ['from=2025-02-08', '/from'],
  ['verified=maybe', '/verified'],
  ['path=blog', '/path'],
  ['country=DEU', '/country'],
  ['sort=nothing', '/sort'],
  ['limit=201', '/limit'],
  ['page_number=0', '/page_number'],
  ['format=xls', '/format'],
  ['group=folder&prefix=/blog', '/prefix'],
  ['contry=DE', '/contry'],
  ['from=2026-03-01&from=2026-03-02', '/from'],
])('refuses %s and says where', async (query, pointer) => {
  const response = await place.get(place.site(), `pages?${query}`);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
});

it('names what it was asked with and has no parameter for, in a file by a header', async () => {
  const site = place.site();
  const { ignored_parameters: ignored } = await place.json<{ ignored_parameters: string[] }>(
    site,
    'pages?_=1&utm_source=mail&limit=5',
  );
  expect(ignored).toEqual(['_', 'utm_source']);
  expect(await place.json(site, 'pages')).toMatchObject({ ignored_parameters: [] });
  const file = await place.get(site, 'pages?format=csv&_=1');
  expect(file.headers.get('x-ignored-parameters')).toBe('_');
});

it('offers hosts and countries with what of them is of bots and what of people', async () => {
  const site = place.site();
  const referral = { class: 'ai_referral', referrer_engine: 'ChatGPT', bot_name: '', vendor: '' } as const;
  await place.put(site, [
    { host: 'a.example', country: 'DE' },
    { host: 'b.example', country: 'FR', ...referral },
    { host: 'a.example', country: 'FR', ...referral },
  ]);
  expect(await place.json(site, 'filters')).toMatchObject({
    hosts: [
      { host: 'a.example', hits: 2, bot_hits: 1, referrals: 1 },
      { host: 'b.example', hits: 1, bot_hits: 0, referrals: 1 },
    ],
    countries: [
      { country: 'FR', hits: 2, bot_hits: 0, referrals: 2 },
      { country: 'DE', hits: 1, bot_hits: 1, referrals: 0 },
    ],
  });
});

describe('the AI share', () => {
  const share = async (site: Site, query = '') =>
    await place.json<Record<'pages' | 'requests', Record<string, unknown>>>(site, `ai-share?${query}`);

  it('is not available where log push alone sends hits, and never 0', async () => {
    const site = place.site();
    expect((await share(site)).pages).toMatchObject({ state: 'not_available', reason: 'no_traffic' });
    await place.put(site, [{ source: 'edge_logpush' }]);
    expect((await share(site)).pages).toMatchObject({
      state: 'not_available',
      reason: 'log_push_only',
      ai_bots: { share: null, low: null, high: null },
    });
  });

  it('says that there are too few samples before it says a number', async () => {
    const site = place.site();
    await place.put(site, [{}, ...Array.from({ length: 29 }, () => sample(0.02))]);
    expect((await share(site)).pages).toMatchObject({
      state: 'too_few_samples',
      samples: 29,
      ai_bots: { hits: 1, exact: 1, share: null },
      total: { hits: null },
    });
    await place.put(site, [{ ...sample(0.02), path: '/x.css' }]);
    expect((await share(site)).pages).toMatchObject({ state: 'too_few_samples', samples: 29 });
    expect((await share(site)).requests).toMatchObject({ state: 'ok', samples: 30, total: { hits: 1501 } });
  });

  it('has slices for other bots and people, which add up to one, and an interval around each', async () => {
    const site = place.site();
    await place.put(site, [
      ...Array.from({ length: 100 }, () => ({})),
      ...Array.from({ length: 10 }, () => ({
        class: 'ai_referral' as const,
        bot_name: '',
        intent: '' as const,
      })),
      ...Array.from({ length: 20 }, () => ({ ...sample(0.1), other_bot: true })),
      ...Array.from({ length: 50 }, () => sample(0.1)),
      { ...sample(0.1), class: 'ai_bot', bot_name: 'NewBot', vendor: 'New', intent: 'training' },
    ]);
    const { pages } = await share(site);
    expect(pages).toMatchObject({
      state: 'ok',
      samples: 71,
      ai_bots: { hits: 110, exact: 100 },
      other_bots: { hits: 200 },
      people: { hits: 500 },
      total: { hits: 820 },
    });
    const slices = ['ai_bots', 'ai_referrals', 'other_bots', 'people'].map(
      (name) => pages[name] as Record<'share' | 'low' | 'high', number>,
    );
    expect(slices.reduce((sum, slice) => sum + slice.share, 0)).toBeCloseTo(1, 5);
    for (const { share: part, low, high } of slices) {
      expect(low).toBeLessThan(part);
      expect(high).toBeGreaterThan(part);
    }
    // A filter on bots narrows the slice of bots, and the whole stays the whole.
    expect((await share(site, 'bot=NewBot')).pages).toMatchObject({
      ai_bots: { hits: 10 },
      total: { hits: 820 },
    });
  });

  it('of traffic that was sent whole is exact, however little it is', async () => {
    const site = place.site();
    await place.put(site, [{}, ...Array.from({ length: 3 }, () => sample(1))]);
    expect((await share(site)).pages).toMatchObject({
      state: 'ok',
      ai_bots: { share: 0.25, low: 0.25, high: 0.25 },
    });
  });
});

it('sets conversions beside crawls and referrals of the same maker, without claiming cause', async () => {
  const site = place.site();
  await place.put(site, [
    ...Array.from({ length: 6 }, () => ({})),
    ...Array.from({ length: 2 }, () => ({
      ...({
        class: 'ai_referral',
        referrer_engine: 'ChatGPT',
        bot_name: '',
        vendor: '',
        engine: '',
      } as const),
    })),
  ]);
  const answer = await place.json<Listed & { note: string }>(site, 'funnel?compare=previous');
  expect(answer.items).toEqual([
    expect.objectContaining({
      ...{ key: 'openai', name: 'OpenAI', products: ['ChatGPT'], crawls_per_referral: 3 },
      referred: { visits: 2, estimated: 0, pages: 1 },
      converted: { conversions: '2.5', values: [{ currency: 'EUR', value: '50' }] },
      // The property had no data then: that is unknown, not 0.
      previous: null,
    }),
  ]);
  expect(answer.note).toMatch(/does not explain why/);
});

it('says what to fix first, and why', async () => {
  const site = place.site();
  const many = (count: number, values: object) => Array.from({ length: count }, () => values);
  await place.put(site, [
    ...many(3, { path: '/waiting', status: 500, intent: 'on_demand' }),
    ...many(9, { path: '/broken', status: 503 }),
    ...many(8, { path: '/lost', status: 404, intent: 'search' }),
    ...many(7, { path: '/gone', status: 410 }),
    ...many(90, { path: '/pretended', status: 404, verified: false }),
    ...many(99, { path: '/fine' }),
  ]);
  const { fix_first: first } = await place.json<{ fix_first: { path: string; reason: string }[] }>(
    site,
    'failures',
  );
  expect(first.map(({ path, reason }) => [path, reason])).toEqual([
    ['/waiting', 'people_are_waiting'],
    ['/broken', 'server_errors'],
    ['/lost', 'search_loses_it'],
    ['/gone', 'always_fails'],
  ]);
});

it('names the status of the assistants where it says that they failed, and of search engines', async () => {
  const site = place.site();
  const many = (count: number, values: object) => Array.from({ length: count }, () => values);
  const pretended = { verified: false, verdict_reason: 'outside_ranges' };
  await place.put(site, [
    ...many(6, { path: '/asked', status: 404 }),
    ...many(1, { path: '/asked', status: 404, intent: 'on_demand' }),
    ...many(2, { path: '/asked', status: 500, intent: 'on_demand' }),
    ...many(9, { path: '/sought', status: 404, ...pretended, intent: 'search' }),
    ...many(8, { path: '/sought', status: 404 }),
    ...many(2, { path: '/sought', status: 403, intent: 'search' }),
  ]);
  const named = [
    ['/asked', 500, '3 of 9 failures came from on-demand visits'],
    ['/sought', 403, '2 visits from AI search engines failed'],
  ];
  for (const [report, read] of [
    ['failures', (body: Answered) => body],
    ['failures?group=bot', (body: Answered) => body],
    ['overview', (body: Answered) => body.failures],
  ] as const) {
    const { fix_first: first = [] } = read(await place.json<Answered>(site, report)) ?? {};
    expect(first.map(({ path, status, why }) => [path, status, why])).toEqual(named);
  }
});
it('leaves out pages that answer well since, whatever period is shown', async () => {
  const site = place.site();
  const many = (count: number, values: object) => Array.from({ length: count }, () => values);
  const lost = NOW - 3 * 86_400_000;
  await place.put(site, [
    ...many(9, { at: lost, path: '/restored', status: 404 }),
    ...many(4, { at: NOW - 86_400_000, path: '/restored' }),
    ...many(5, { at: lost, path: '/lost', status: 404 }),
    ...many(1, { at: NOW, path: '/lost', status: 404 }),
    ...many(1, { at: NOW, path: '/unsteady', status: 503 }),
    ...many(20, { at: NOW + 1_000, path: '/unsteady' }),
  ]);
  const before = new Date(lost).toISOString().slice(0, 10);
  const since = new Date(NOW - 86_400_000).toISOString().slice(0, 10);
  const read = async (query: string) =>
    await place.json<{ fix_first: { path: string }[]; fixed: object[] }>(site, `failures${query}`);
  const whole = await read('');
  expect(whole.fix_first.map(({ path }) => path)).toEqual(['/lost', '/unsteady']);
  expect(whole.fixed).toMatchObject([{ path: '/restored', failures: 9, since }]);
  const earlier = await read(`?from=${before}&to=${before}`);
  expect(earlier.fix_first.map(({ path }) => path)).toEqual(['/lost']);
  expect(earlier.fixed).toMatchObject([{ path: '/restored', since }]);
  const { failures } = await place.json<{ failures: { fix_first: { path: string }[] } }>(site, 'overview');
  expect(failures.fix_first.map(({ path }) => path)).toEqual(['/lost', '/unsteady']);
});

interface Answered {
  fix_first?: { path: string; status: number; why: string }[];
  failures?: Answered;
}

describe('trust', () => {
  it('counts the reason of each hit, and calls nothing unpublished that was only not checked', async () => {
    const site = place.site();
    const judged = (
      verdict_reason: StoredHit['verdict_reason'],
      verified: boolean | null,
      at = NOW,
    ): Partial<StoredHit> => ({ verdict_reason, verified, verified_by: '', at });
    await place.put(site, [
      judged('outside_ranges', false),
      judged('edge_says_no', false),
      judged('partial_ranges', null),
      judged('partial_ranges', null, NOW - 2 * DAY),
      judged('no_address', null),
      judged('no_ranges_published', null),
      judged('', null),
      { ...judged('sampled_address', null), sample_rate: 0.5, weight: 2 },
    ]);
    const reasons = {
      ...{ outside_ranges: 1, edge_says_no: 1, partial_ranges: 2, no_address: 1, no_ranges_published: 1 },
      ...{ not_recorded: 1, sampled_address: 2, ranges: 0 },
    };
    const expected = { totals: { hits: 9, reasons }, items: [{ bot: 'GPTBot', reasons }] };
    expect(await place.json(site, 'trust')).toMatchObject(expected);
    await place.reports.rollup.run();
    expect(await place.json(site, 'trust')).toMatchObject(expected);
    expect(await place.json(site, 'trust?path=/')).toMatchObject(expected);
    const [head] = (await (await place.get(site, 'trust?format=csv')).text()).split('\r\n');
    expect(head).toContain('reasons.partial_ranges');
    expect(head).toContain('reasons.not_recorded');
  });
});

describe('spoofed visits', () => {
  const made = async () => {
    const site = place.site();
    await place.put(site, [
      { path: '/a', verified: true, verified_by: 'signature' },
      { path: '/a' },
      { path: '/a', status: 404, verified: true, verified_by: 'signature' },
      ...Array.from({ length: 5 }, () => ({
        path: '/a',
        status: 500,
        verified: false,
        verified_by: '' as const,
      })),
      { path: '/fake', bot_name: 'ClaudeBot', vendor: 'Anthropic', engine: 'anthropic', verified: false },
      {
        class: 'ai_referral',
        referrer_engine: 'Claude',
        bot_name: '',
        vendor: '',
        intent: '',
        verified: null,
      },
    ]);
    return site;
  };

  it('are separate from the figures of every report and not in them, and each answer names what it counts', async () => {
    const site = await made();
    expect(await place.json(site, 'overview')).toMatchObject({
      population: 'verified_unknown',
      headline: { ai_bot_hits: 3, spoofed: 6, bots: 1, pages: 1, referrals: 1, failures: 1 },
      ai_bots: { hits: 3, verified: 2, unknown: 1, spoofed: 6, server_errors: 0 },
      trust: { verified: 2, unknown: 1, spoofed: 6 },
      failures: { failures: 1, failing_share: 0.3333333 },
      top_bots: [{ bot: 'GPTBot', hits: 3 }],
      top_pages: [{ path: '/a', hits: 3, bots: 1 }],
    });
    expect(await place.json(site, 'bots')).toMatchObject({
      population: 'verified_unknown',
      items: [{ bot: 'GPTBot', hits: 3, spoofed: 5, share: 1 }],
      total: 1,
      totals: { hits: 3, spoofed: 6, bots: 1 },
    });
    expect(await place.json(site, 'pages')).toMatchObject({
      items: [{ path: '/a', hits: 3, spoofed: 5 }],
      total: 1,
      totals: { hits: 3, spoofed: 6, pages: 1 },
    });
    expect(await place.json(site, 'failures')).toMatchObject({
      items: [{ path: '/a', failures: 1, spoofed: 5, server_errors: 0 }],
      totals: { failures: 1, spoofed: 5 },
    });
    const { items } = await place.json<Listed>(site, 'funnel');
    expect(items.find(({ key }) => key === 'openai')).toMatchObject({ crawled: { hits: 3, spoofed: 5 } });
    expect(await place.json(site, 'filters')).toMatchObject({ bots: [{ bot: 'GPTBot', hits: 3 }] });
    expect(await place.json(site, 'ai-share')).toMatchObject({
      requests: { ai_bots: { exact: 3 }, other_bots: { exact: 6 }, spoofed: 6 },
    });
    // A filter on bots narrows the figure; the programs stay programs.
    for (const [query, spoofed] of [
      ['bot=gptbot', 5],
      ['bot=nobody', 0],
      ['verified=true', 0],
    ] as const)
      expect(await place.json(site, `ai-share?${query}`), query).toMatchObject({
        requests: { other_bots: { exact: 6 }, spoofed },
      });
  });

  it('count where they are asked for, and where the question is about them', async () => {
    const site = await made();
    expect(await place.json(site, 'overview?include=spoofed')).toMatchObject({
      population: 'all',
      headline: { ai_bot_hits: 9, spoofed: 6, bots: 2, pages: 2, failures: 6 },
    });
    expect(await place.json(site, 'ai-share?include=spoofed')).toMatchObject({
      requests: { ai_bots: { exact: 9 }, other_bots: { exact: 0 }, spoofed: 6 },
    });
    expect(await place.json(site, 'ai-share?verified=false')).toMatchObject({ requests: { spoofed: 6 } });
    expect(await place.json(site, 'bots?verified=false')).toMatchObject({
      population: 'all',
      totals: { hits: 6, spoofed: 6 },
    });
    expect(await place.json(site, 'trust')).toMatchObject({
      population: 'all',
      totals: { hits: 9, spoofed: 6, verified: 2, unknown: 1 },
    });
    expect((await place.get(site, 'overview?include=everything')).status).toBe(422);
  });

  it('are named in a file', async () => {
    const site = await made();
    const lines = async (query: string) =>
      (await (await place.get(site, query)).text())
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
    const [columns, row] = await lines('pages?format=csv');
    expect(columns?.slice(-2)).toEqual(['population', 'over_quota']);
    expect(row?.slice(-2)).toEqual(['verified_unknown', '']);
    expect(row?.[columns?.indexOf('hits') ?? 0]).toBe('3');
    expect((await lines('pages?format=csv&include=spoofed')).map((line) => line.at(-2))).toEqual([
      ...['population', 'all', 'all'],
    ]);
  });
});

describe('a change', () => {
  interface Compared {
    readonly period: { readonly previous: object | null };
    readonly compared_until: string | null;
    readonly totals: object;
    readonly items: readonly object[];
  }
  const visits = (days: number, count: number, value: Partial<StoredHit> = {}) =>
    Array.from({ length: count }, () => ({ at: NOW - days * DAY, ...value }));

  it('leaves today out on both sides, and says so', async () => {
    const site = place.site();
    await place.put(site, [
      ...visits(14, 1),
      ...[10, 11, 12, 13].flatMap((days) => visits(days, 25)),
      ...visits(7, 900),
      ...[3, 4, 5, 6].flatMap((days) => visits(days, 50)),
      ...visits(0, 7),
    ]);
    for (const report of ['bots', 'pages', 'pages?group=folder', 'pages?group=bot_page', 'pages?sort=path']) {
      const query = `${report.includes('?') ? '&' : '?'}from=2026-03-09&compare=previous`;
      const answer = await place.json<Compared>(site, `${report}${query}`);
      expect(answer).toMatchObject({
        period: { from: '2026-03-09', to: '2026-03-15', previous: { from: '2026-03-02', to: '2026-03-07' } },
        compared_until: '2026-03-14',
      });
      for (const row of [answer.totals, answer.items[0]])
        expect(row, report).toMatchObject({
          hits: 207,
          previous: { hits: 100, compared_with: 200 },
          change: 1,
          change_stands_out: false,
        });
    }
    // Of today alone nothing is left to compare.
    expect(await place.json(site, 'bots?from=2026-03-15&compare=previous')).toMatchObject({
      period: { previous: null },
      compared_until: null,
      totals: { previous: null, change: null, change_stands_out: null },
    });
  });

  it('is none of fewer than 20 visits, and none where data begins within the days before', async () => {
    const site = place.site();
    await place.put(site, [...visits(30, 1), ...visits(10, 19), ...visits(3, 40)]);
    const totals = async (query: string) =>
      (await place.json<Compared>(site, `bots?compare=previous&${query}`)).totals;
    expect(await totals('from=2026-03-09&to=2026-03-14')).toMatchObject({
      previous: { hits: 19 },
      change: null,
    });
    await place.put(site, visits(10, 1));
    expect(await totals('from=2026-03-09&to=2026-03-14')).toMatchObject({
      previous: { hits: 20 },
      change: 1,
    });
    // Twenty days before 23 February begin on 3 February, and data on the 13th: what was counted since is no figure of those days.
    expect(await totals('from=2026-02-23&to=2026-03-14')).toMatchObject({ previous: null, change: null });
  });
});

describe('a period', () => {
  interface Drawn {
    readonly period: object;
    readonly compared_until: string | null;
    readonly totals: object;
    readonly series: readonly { readonly day: string; readonly hits: number }[];
    readonly previous_series: readonly { readonly day: string; readonly hits: number }[] | null;
  }
  const at = (date: string, count: number, value: Partial<StoredHit> = {}) =>
    Array.from({ length: count }, () => ({ at: Date.parse(`${date}T12:00:00Z`), ...value }));
  const ask = async (site: Site, query: string) => await place.json<Drawn>(site, `bots?${query}`);

  it('by name is the days of the property, compared with as many of the month before, or of the year before', async () => {
    const site = place.site();
    await place.put(site, [
      ...at('2025-02-28', 1),
      ...at('2025-03-01', 1),
      ...at('2025-03-10', 30),
      ...at('2026-01-31', 20),
      ...at('2026-02-03', 20, { intent: 'search' }),
      ...at('2026-02-20', 500),
      ...at('2026-03-03', 50),
      ...at('2026-03-15', 7),
    ]);
    const month = await ask(site, 'period=this_month&compare=previous');
    expect(month).toMatchObject({
      period: { from: '2026-03-01', to: '2026-03-15', previous: { from: '2026-02-01', to: '2026-02-14' } },
      compared_until: '2026-03-14',
      totals: { hits: 57, previous: { hits: 20, compared_with: 50 }, change: 1.5 },
    });
    expect(month.previous_series).toHaveLength(14);
    expect(month.previous_series?.filter(({ hits }) => hits > 0)).toMatchObject([
      { day: '2026-02-03', hits: 20, search: 20, training: 0, unknown: 20, spoofed: 0 },
    ]);
    expect(await ask(site, 'period=this_month&compare=year')).toMatchObject({
      period: { previous: { from: '2025-03-01', to: '2025-03-14' } },
      totals: { previous: { hits: 31, compared_with: 50 } },
    });
    // Between 22 February and 1 March are seven days: no day is its own counterpart.
    expect(await ask(site, 'from=2026-03-01&to=2026-03-15&compare_from=2026-02-22')).toMatchObject({
      period: { previous: { from: '2026-02-22', to: '2026-02-28' } },
      compared_until: '2026-03-07',
    });
    // A month that is over is compared with all of the month before.
    const whole = await ask(site, 'from=2026-02-01&to=2026-02-28&compare_from=2026-01-01');
    expect(whole).toMatchObject({
      period: { previous: { from: '2026-01-01', to: '2026-01-31' } },
      ...{ compared_until: '2026-02-28', totals: { previous: { hits: 20, compared_with: 520 } } },
    });
    expect(whole.previous_series?.at(-1)).toMatchObject({ day: '2026-01-31', hits: 20 });
    expect(await ask(site, 'period=last_month')).toMatchObject({
      period: { from: '2026-02-01', to: '2026-02-28', previous: null },
      previous_series: null,
    });
    for (const report of ['overview', 'trust', 'failures', 'referrals']) {
      const { previous_series: days } = await place.json<Drawn>(
        site,
        `${report}?period=this_month&compare=previous`,
      );
      expect(days?.map(({ day }) => day).at(-1), report).toBe('2026-02-14');
    }
    // Before the first data nothing is known, and nothing is drawn.
    expect(await ask(site, 'from=2025-03-05&to=2025-03-20&compare=previous')).toMatchObject({
      period: { previous: { from: '2025-02-17', to: '2025-03-04' } },
      totals: { previous: null, change: null },
      previous_series: null,
    });
  });

  it('is refused where it contradicts itself', async () => {
    const site = place.site();
    for (const query of [
      'period=today&from=2026-03-01',
      'period=soon',
      'compare_from=2026-03-15',
      'compare_from=2020-01-01',
    ]) {
      const { status } = await place.get(site, `bots?${query}`);
      expect(status, query).toBe(422);
    }
  });

  it('of a week at most has hours, with the hours of the days before', async () => {
    const site = place.site();
    await place.put(site, [
      ...at('2026-03-01', 1),
      { at: NOW - DAY - 30 * 60_000 },
      { at: NOW - DAY + 5 * 3_600_000, status: 500 },
      // Spoofed: it is counted nowhere, and so is no failure either.
      { at: NOW - 90 * 60_000, verified: false, status: 404 },
      { at: NOW - 60_000, status: 404 },
    ]);
    interface Hours {
      readonly state: string;
      readonly series: readonly { readonly hits: number; readonly spoofed: number }[] | null;
      readonly previous_series: readonly { readonly hits: number; readonly failures: number }[] | null;
    }
    const hours = await place.json<Hours>(site, 'hours?period=today&compare=previous');
    // It is noon: twelve hours are over, and the thirteenth has not begun.
    expect(hours.series).toHaveLength(12);
    expect(hours.series?.at(-1)).toMatchObject({
      ...{ at: '2026-03-15T11:00:00.000Z', until: '2026-03-15T12:00:00.000Z', hits: 1, failures: 1 },
      ...{ client_errors: 1, server_errors: 0, redirects: 0 },
    });
    expect(hours.previous_series?.at(17)).toMatchObject({ client_errors: 0, server_errors: 1 });
    // Trust draws every identity, so it asks for all of them.
    const all = await place.json<Hours>(site, 'hours?period=today&include=spoofed');
    expect(all.series?.at(10)).toMatchObject({ hits: 1, spoofed: 1, client_errors: 1 });
    expect(hours.series?.at(10)).toMatchObject({ hits: 0, spoofed: 1, failures: 0 });
    expect(hours.previous_series?.map(({ hits }) => hits).join('')).toBe('000000000001000001000000');
    expect(hours.previous_series?.map(({ failures }) => failures).join('')).toBe('000000000000000001000000');
    expect(await place.json<Hours>(site, 'hours?period=last_30_days')).toMatchObject({
      state: 'too_long',
      series: null,
    });
    expect(
      await place.json<Hours>(site, 'hours?from=2026-03-01&to=2026-03-01&compare=previous'),
    ).toMatchObject({ state: 'ok', previous_series: null });
  });

  it('of a week at most has the hours of visits that AI products sent', async () => {
    const site = place.site();
    const from = (referrer_engine: string, when: number, rate = 1) => ({
      ...{ at: when, class: 'ai_referral' as const, referrer_engine, bot_name: '', vendor: '' },
      ...{ sample_rate: rate, weight: 1 / rate },
    });
    await place.put(site, [
      ...at('2026-03-01', 1),
      from('Claude', NOW - DAY + 5 * 3_600_000),
      from('ChatGPT', NOW - 90 * 60_000),
      from('ChatGPT', NOW - 60_000, 0.5),
      from('Claude', NOW - 60_000),
    ]);
    interface Hours {
      readonly series: readonly { readonly at: string; readonly visits: number }[] | null;
      readonly previous_series: readonly { readonly visits: number }[] | null;
    }
    const hours = await place.json<Hours>(site, 'referrals/hours?period=today&compare=previous');
    expect(hours.series?.map(({ visits }) => visits)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3]);
    expect(hours.series?.at(-1)).toEqual({
      ...{ at: '2026-03-15T11:00:00.000Z', until: '2026-03-15T12:00:00.000Z', partial: false },
      ...{ visits: 3, estimated: 2, engines: { ChatGPT: 2, Claude: 1 }, estimates: { 'engines.ChatGPT': 2 } },
    });
    expect(hours.previous_series?.map(({ visits }) => visits).join('')).toBe('000000000000000001000000');
    const { totals } = await place.json<{ totals: { visits: number } }>(site, 'referrals?period=today');
    expect(totals.visits).toBe(4);
    expect(await place.json<Hours>(site, 'referrals/hours?period=last_30_days')).toMatchObject({
      state: 'too_long',
      series: null,
    });
  });
});

describe('the first visit of a bot', () => {
  it('is that of all it ever made, whatever days are asked for and whatever comes late', async () => {
    const site = place.site();
    const old = { bot_name: 'OldBot', vendor: 'Old' };
    await place.put(site, [
      { at: NOW - 60 * DAY },
      { at: NOW - 3 * DAY, bot_name: 'FreshBot', vendor: 'Fresh' },
      { at: NOW - DAY, bot_name: 'FreshBot', vendor: 'Fresh' },
      { at: NOW - DAY, bot_name: 'FakeBot', vendor: 'Fake', verified: false },
      { at: NOW - DAY, ...old },
    ]);
    const yesterday = 'from=2026-03-14&to=2026-03-14';
    const fresh = { bot: 'FreshBot', first_seen: new Date(NOW - 3 * DAY).toISOString() };
    const news = async (query = '') =>
      (await place.json<{ new_bots: object[] }>(site, `overview?${yesterday}${query}`)).new_bots;
    expect(await news('&include=spoofed')).toMatchObject([fresh, { bot: 'OldBot' }]);
    // Comes late, of a day long before.
    await place.put(site, [{ at: NOW - 20 * DAY, ...old }]);
    expect(await news()).toMatchObject([fresh]);
    await place.reports.rollup.run();
    expect(await news()).toMatchObject([fresh]);
    expect(await place.json(site, `overview?${yesterday}&bot=FreshBot`)).toMatchObject({ top_bots: [fresh] });
    const { items } = await place.json<Listed>(site, `bots?${yesterday}&sort=bot&order=asc`);
    expect(items).toMatchObject([
      { ...fresh, is_new: true },
      { bot: 'OldBot', is_new: false, first_seen: new Date(NOW - 20 * DAY).toISOString() },
    ]);
  });

  it('is no news where data began less than a week before', async () => {
    const site = place.site();
    await place.put(site, [{ at: NOW - 5 * DAY }, { at: NOW - DAY, bot_name: 'NewBot', vendor: 'New' }]);
    const { items } = await place.json<Listed>(site, 'bots');
    expect(items.map((item) => item['is_new'])).toEqual([null, null]);
    expect(await place.json(site, 'overview')).toMatchObject({ new_bots: [] });
  });
});

it('shows on the first page what the reports say', async () => {
  const site = place.site();
  await place.put(site, [
    ...Array.from({ length: 4 }, () => ({ at: NOW - 40 * DAY })),
    ...Array.from({ length: 5 }, () => ({})),
    { bot_name: 'NewBot', vendor: 'New', intent: 'on_demand', status: 404, path: '/lost' },
    { class: 'ai_referral', referrer_engine: 'Claude', bot_name: '', vendor: '', intent: '' },
  ]);
  expect(await place.json(site, 'overview')).toMatchObject({
    ai_bots: { hits: 6, bots: 2, pages: 1, files: 0, on_demand: 1, previous: null, change: null },
    top_bots: [{ bot: 'GPTBot', hits: 5 }, { bot: 'NewBot' }],
    new_bots: [{ bot: 'NewBot', hits: 1 }],
    top_pages: [{ path: '/', hits: 5 }],
    referrals: { visits: 1, top: [{ engine: 'Claude', visits: 1 }] },
    failures: { failures: 1, fix_first: [{ path: '/lost', reason: 'people_are_waiting' }] },
    ai_share: { state: 'too_few_samples', share: null },
    conversions: { available: true, conversions: '9.5' },
  });
});

describe('collectors', () => {
  it('are quiet by what came since, not by where the period ends', async () => {
    const site = place.site();
    const from = (host: string, at: number) => ({ host, at, received_at: at, worker_version: '0.5.0' });
    await place.put(site, [
      from('busy.example', NOW - 5 * DAY),
      from('gone.example', NOW - 5 * DAY),
      from('busy.example', NOW - 3_600_000),
    ]);
    const { hosts, versions } = await place.json<{
      hosts: { host: string; quiet: boolean; hits: number; last_seen: string }[];
      versions: { quiet: boolean }[];
    }>(site, 'collectors?from=2026-03-08&to=2026-03-11');
    expect(hosts.map(({ host, quiet, hits }) => [host, quiet, hits]).sort()).toEqual([
      ['busy.example', false, 1],
      ['gone.example', true, 1],
    ]);
    expect(hosts.find(({ host }) => host === 'busy.example')?.last_seen).toBe(
      new Date(NOW - 3_600_000).toISOString(),
    );
    expect(versions.map(({ quiet }) => quiet)).toEqual([false]);
  });

  it('are stale below the version that belongs to this service', async () => {
    expect(LATEST_COLLECTOR).toBe(collectorPackage.version);
    const site = place.site();
    await place.put(site, [
      { worker_version: '0.4.1', received_at: NOW - 2 * DAY },
      { worker_version: LATEST_COLLECTOR },
      { worker_version: '', source: 'edge_logpush', host: 'pushed.example' },
    ]);
    expect(await place.json(site, 'collectors')).toMatchObject({
      versions: [
        { version: LATEST_COLLECTOR, stale: false, quiet: false },
        { version: '0.4.1', stale: true, quiet: true },
      ],
      log_push: [{ host: 'pushed.example', hits: 1, quiet: false }],
      sample_rate_zero: true,
    });
  });

  it('are not stale without a version: what posts from its own code sends none', async () => {
    const site = place.site();
    await place.put(site, [{ worker_version: '', host: 'own.example' }]);
    expect(await place.json(site, 'collectors')).toMatchObject({
      versions: [{ version: '', latest_version: LATEST_COLLECTOR, stale: false }],
      hosts: [{ host: 'own.example', versions: [], stale: false }],
    });
  });

  it('are compared number by number', () => {
    expect(['0.10.0', '', '0.9.1', '0.9'].sort(byVersion)).toEqual(['', '0.9', '0.9.1', '0.10.0']);
  });
});
