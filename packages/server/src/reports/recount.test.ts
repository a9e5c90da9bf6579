/** The proof that reports are what the hits are: random hits, random order of arrivals, runs and questions, against a slow recount. */
import type { StoredHit } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';
import * as recount from './testing/recount.ts';
import { dayAt, FILES, type Recounted } from './testing/recount-hits.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The third of April: a period of 28 days before it has a month's border and the changes of clocks, and the one before two. */
const START = Date.UTC(2026, 3, 3, 4);
let now = START;
let databases: TestDatabases;
let store: TestWarehouse;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

const BOTS = [
  { bot_name: 'GPTBot', vendor: 'OpenAI', engine: 'openai', intent: 'training' },
  { bot_name: 'ChatGPT-User', vendor: 'OpenAI', engine: 'openai', intent: 'on_demand' },
  { bot_name: 'PerplexityBot', vendor: 'Perplexity', engine: 'perplexity', intent: 'search' },
  { bot_name: 'Unlisted AI', vendor: 'Unknown', engine: 'unlisted', intent: 'other' },
] as const;
/** One of them under an AI bot's name: only the class tells. */
const SEARCH_ENGINES = [
  { bot_name: 'Googlebot', vendor: 'Google', engine: 'google', intent: 'search' },
  { bot_name: 'GPTBot', vendor: 'OpenAI', engine: 'openai', intent: 'search' },
] as const;
const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Days before the clock's own; times at a day's very borders are as likely as others. */
const moment = fc
  .tuple(
    fc.integer({ min: -31, max: 0 }),
    oneOf(0, 1, DAY / 2, DAY - 1, 4 * HOUR, 4 * HOUR - 1, 18.5 * HOUR - 1, 21 * HOUR, 22 * HOUR),
  )
  .map(([days, time]) => ({ days, time }));

const hit = fc
  .record({
    when: moment,
    source: oneOf<StoredHit['source']>('edge_worker', 'edge_worker', 'edge_logpush', 'tail', 'nginx'),
    /** Not null: no hit, but how many other requests there were. */
    number: oneOf(null, null, null, null, null, 0, 1, 17),
    class: oneOf<StoredHit['class']>('ai_bot', 'ai_bot', 'ai_bot', 'ai_referral', 'sample', 'search_engine'),
    bot: oneOf<(typeof BOTS)[number]>(...BOTS),
    searchEngine: oneOf<(typeof SEARCH_ENGINES)[number]>(...SEARCH_ENGINES),
    verified: oneOf(true, false, null),
    method: oneOf<StoredHit['verified_by']>('signature', 'edge_cidr', 'edge_platform', 'server_cidr'),
    reason: oneOf<StoredHit['verdict_reason']>(
      'signature',
      'outside_ranges',
      'partial_ranges',
      'no_address',
      '',
    ),
    referrer_engine: oneOf('ChatGPT', 'Claude', 'Gemini'),
    referral_signal: oneOf<StoredHit['referral_signal']>('referrer', 'app', 'utm_source'),
    host: oneOf('shop.example', 'www.shop.example'),
    path: oneOf(...['/', '/a', '/blog/', '/blog/1', '/blog/2/x', '/=cmd', '/ünï%20"', '/gone'], ...FILES),
    status: oneOf(0, 200, 200, 200, 204, 301, 304, 404, 404, 410, 500, 503, 999),
    bytes: fc.nat(10_000),
    country: oneOf('DE', 'US', ''),
    asn: oneOf(0, 64_500, 64_501),
    rate: oneOf(0, 0, 0, 0.5, 0.03, 1),
    other_bot: fc.boolean(),
    worker_version: oneOf('', '0.4.1', '0.5.0'),
  })
  .map(({ when, number, bot, searchEngine, method, reason, rate, ...values }) => ({
    ...{ when, number, bot, searchEngine, method, reason, rate },
    ...values,
  }));
type Drawn = typeof hit extends fc.Arbitrary<infer T> ? T : never;

/** As a log counts them: by host, quarter of an hour and kind. */
function numberOf({ when, number, source, rate, ...drawn }: Drawn, today: number): Partial<StoredHit> {
  const isTail = source !== 'nginx';
  const at = (today + when.days) * DAY + Math.floor(when.time / (HOUR / 4)) * (HOUR / 4);
  const sampleRate = rate === 0.5 ? 0.5 : 0;
  return {
    ...{
      at,
      source: isTail ? 'tail' : 'nginx',
      class: 'counted' as StoredHit['class'],
      path: '',
      country: '',
    },
    ...{ bot_name: '', vendor: '', engine: '', intent: '', worker_version: '', verified: null },
    ...{ host: drawn.status === 500 ? '' : drawn.host, other_bot: drawn.other_bot, sample_rate: sampleRate },
    weight: (number ?? 0) / (sampleRate || 1),
    ...{ asset: FILES.includes(drawn.path) },
  };
}

function rowOf(drawn: Drawn, today: number): Partial<StoredHit> {
  return drawn.number === null ? hitOf(drawn, today) : numberOf(drawn, today);
}

function hitOf(
  { when, number: _, bot, searchEngine, method, reason, rate, ...drawn }: Drawn,
  today: number,
): Partial<StoredHit> {
  const isSearchEngine = drawn.class === 'search_engine';
  const isBot = drawn.class === 'ai_bot' || isSearchEngine;
  const sampleRate = drawn.class === 'sample' ? rate || 0.5 : rate;
  return {
    ...drawn,
    at: (today + when.days) * DAY + when.time,
    ...(isSearchEngine
      ? searchEngine
      : isBot
        ? bot
        : { bot_name: '', vendor: '', engine: '', intent: '' as const }),
    verified: isBot ? drawn.verified : null,
    verified_by: isBot && drawn.verified === true ? method : '',
    verdict_reason: isBot ? reason : '',
    referrer_engine: drawn.class === 'ai_referral' ? drawn.referrer_engine : '',
    referral_signal: drawn.class === 'ai_referral' ? drawn.referral_signal : '',
    other_bot: drawn.class === 'sample' && drawn.other_bot,
    sample_rate: sampleRate,
    weight: sampleRate > 0 ? 1 / sampleRate : 1,
  };
}

const zone = oneOf('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Beirut', 'Asia/Kolkata');

type Step =
  | { readonly kind: 'arrive'; readonly hits: readonly Drawn[] }
  | { readonly kind: 'run' }
  | { readonly kind: 'run_day'; readonly days: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'move'; readonly zone: string; readonly counted: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: oneOf('arrive' as const),
      hits: fc.array(hit, { minLength: 1, maxLength: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: oneOf('run' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: oneOf('run_day' as const), days: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('wait' as const), hours: oneOf(1, 9, 24, 50) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: oneOf('move' as const), zone, counted: fc.boolean() }),
  },
);

const question = fc.record({
  zone,
  length: oneOf(1, 3, 14, 28, 45),
  back: oneOf(0, 0, 0, 1, 5),
  compare: fc.boolean(),
  include: oneOf<Recounted['include']>(undefined, undefined, 'spoofed'),
  filter: oneOf<Recounted['filter']>(
    {},
    {},
    { bot: 'gptBOT' },
    { vendor: 'openai' },
    { intent: 'search' },
    { verified: 'true' },
    { verified: 'false' },
    { verified: 'unknown' },
    { path: '/blog/' },
    { page: '/a' },
    { host: 'WWW.shop.example' },
    { country: 'DE' },
    { vendor: 'OpenAI', verified: 'unknown', path: '/b', host: 'shop.example', country: 'US' },
  ),
});

/** Rows in an order that both sides agree on. */
const sorted = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(canonical(row))).sort();
const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, member]) => [name, canonical(member)]),
        )
      : value;

/** One of them in each turn: three times as many questions would take as long. */
const KINDS = ['page', 'file', 'all'] as const;
let turn = 0;

type Answer = Record<string, unknown> & {
  items: object[];
  series: { day: string; partial: boolean }[];
  totals: object;
};

async function holds(place: Place, site: Site, hits: readonly StoredHit[], period: Recounted): Promise<void> {
  const date = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
  const query = new URLSearchParams({
    ...period.filter,
    ...(period.include === undefined ? {} : { include: period.include }),
    from: date(period.from),
    to: date(period.to),
    compare: period.compare ? 'previous' : 'none',
    limit: '200',
  }).toString();
  const ask = async (path: string, more = '') => await place.json<Answer>(site, `${path}?${query}${more}`);
  const counts = ({ series }: Answer) => series.map(({ day: _, partial: __, ...values }) => values);
  const same = (report: string, found: readonly object[], expected: readonly object[]) =>
    expect(sorted(found), report).toEqual(sorted(expected));

  // Where data begins has tests of its own; after a change of the zone it may be a day of the one before.
  const filters = await ask('filters');
  const { data_since: since } = filters as { data_since?: string | null };
  const asked = { ...period, since: since == null ? null : Date.parse(since) / DAY };
  const bots = await ask('bots');
  same('bots', bots.items, recount.bots(hits, asked));
  const vendors = (await ask('bots', '&group=vendor')).items as { engine?: string }[];
  same(
    'vendors',
    vendors.map(({ engine: _, ...vendor }) => vendor),
    recount.bots(hits, asked, 'vendor'),
  );
  expect(bots.totals, 'bots: totals').toEqual(recount.botTotals(hits, asked));
  expect(
    bots.series.map(({ day: _, partial: __, ...counts }) => counts),
    'bots: series',
  ).toEqual(recount.botSeries(hits, asked));

  const kind = KINDS[turn++ % KINDS.length] ?? 'page';
  const read = async (group: 'page' | 'folder' | 'bot_page', expected: readonly object[], more = '') => {
    const answer = await ask('pages', `&group=${group}&kind=${kind}${more}`);
    same(`pages by ${group}, ${kind}${more}`, answer.items, expected);
    expect(answer.totals, `pages: totals ${group} ${kind}`).toEqual(
      recount.pageTotals(hits, asked, kind, group),
    );
  };
  await read('page', recount.pages(hits, asked, kind));
  await read('bot_page', recount.botPages(hits, asked, kind));
  for (const prefix of ['/', '/blog/'])
    await read('folder', recount.folders(hits, asked, prefix, kind), `&prefix=${prefix}`);
  same(
    'pages, sorted otherwise',
    (await ask('pages', '&sort=path')).items,
    recount.pages(hits, asked, 'page'),
  );

  const charts = recount.seriesOf(hits, asked);
  for (const [group, failed] of [
    ['page', 'error'],
    ['bot', 'client_error'],
    ['bot_page', 'server_error'],
    ['page', 'redirect'],
  ] as const) {
    const failures = await ask('failures', `&group=${group}&kind=${failed}`);
    same(`failures ${group} ${failed}`, failures.items, recount.failures(hits, asked, group, failed));
    expect(failures.totals, `failures: totals ${failed}`).toEqual(recount.failureTotals(hits, asked, failed));
    same(
      `failures: statuses ${failed}`,
      failures['by_status'] as object[],
      recount.statuses(hits, asked, failed),
    );
    // The chart shows all kinds of failures, whichever is listed.
    expect(counts(failures), `failures: series ${failed}`).toEqual(charts.map(({ failures }) => failures));
  }

  const trust = await ask('trust');
  expect(counts(trust), 'trust: series').toEqual(charts.map((day) => day.trust));
  same('trust', trust.items, recount.trust(hits, asked));
  expect(trust.totals, 'trust: totals').toEqual(recount.trustTotals(hits, asked));
  same('sources', (await ask('trust/sources')).items, recount.spoofSources(hits, asked));

  for (const group of ['page', 'engine'] as const) {
    const referrals = await ask('referrals', `&group=${group}`);
    same(`referrals by ${group}`, referrals.items, recount.referrals(hits, asked, group));
    expect(referrals.totals, 'referrals: totals').toEqual(recount.referralTotals(hits, asked));
    expect(counts(referrals), 'referrals: series').toEqual(charts.map((day) => day.referrals));
  }

  const overview = await ask('overview');
  const isAll = asked.include === 'spoofed' || asked.filter.verified === 'false';
  for (const answer of [overview, bots])
    expect(answer['population']).toBe(isAll ? 'all' : 'verified_unknown');
  expect(trust['population']).toBe('all');
  const { bots: count, vendors: _, gone: __, previous, ...figures } = recount.botTotals(hits, asked);
  const told = recount.overview(hits, asked);
  for (const [part, rows] of Object.entries(told.rows))
    for (const row of (overview[part] ?? (overview['referrals'] as Answer)[part]) as object[])
      expect(rows, `overview: ${part}`).toContainEqual(expect.objectContaining(told.known(part, row)));
  expect(overview['trust'], 'overview: trust').toEqual(told.trust);
  expect((overview['headline'] as Answer)['estimates'], 'overview: headline').toEqual(told.headline);
  expect(counts(overview), 'overview: series').toEqual(told.series);
  expect(overview['ai_bots'], 'overview: bots').toMatchObject({
    ...{ ...figures, bots: count },
    previous: previous === null ? null : { hits: previous.hits, compared_with: previous.compared_with },
  });
  const {
    visits,
    estimated,
    previous: before,
    change,
    change_stands_out,
  } = recount.referralTotals(hits, asked);
  expect(overview['referrals'], 'overview: referrals').toMatchObject({
    ...{ visits, estimated, previous: before, change, change_stands_out },
  });
  const failing = recount.failureTotals(hits, asked, 'error');
  expect(overview['failures'], 'overview: failures').toMatchObject({
    ...{ failures: failing.failures, failing_share: failing.failing_share },
    ...{ spoofed: failing.spoofed, estimated: failing.estimated, previous: failing.previous },
    ...{ change: failing.change, change_stands_out: failing.change_stands_out },
  });
  const byPage = new Map(recount.pages(hits, asked, 'page').map((row) => [`${row.host}${row.path}`, row]));
  const topPages = overview['top_pages'] as { host: string; path: string; hits: number }[];
  const largest = [...byPage.values()].map((row) => row.hits).sort((a, b) => b - a);
  expect(
    topPages.map((row) => row.hits),
    'overview: pages',
  ).toEqual(largest.slice(0, 5));
  for (const row of topPages) expect(byPage.get(`${row.host}${row.path}`), 'a page').toMatchObject(row);

  const share = await ask('ai-share');
  for (const [name, pagesAlone] of [
    ['pages', true],
    ['requests', false],
  ] as const) {
    expect(share[name], `ai-share: ${name}`).toMatchObject(recount.slices(hits, asked, pagesAlone));
  }

  const { versions } = await ask('collectors');
  same(
    'collectors',
    (versions as Record<string, unknown>[]).map(
      ({ host_count: _, stale: __, quiet: ___, latest_version: ____, ...row }) => row,
    ),
    recount.versions(hits, asked),
  );

  const values = recount.values(hits, asked);
  for (const [name, key, count] of [
    ['bots', 'bot', 'hits'],
    ['vendors', 'vendor', 'hits'],
    ['intents', 'intent', 'hits'],
    ['hosts', 'host', 'hits'],
    ['countries', 'country', 'hits'],
    ['engines', 'engine', 'visits'],
  ] as const) {
    const rows = filters[name] as Record<string, string>[];
    expect(Object.fromEntries(rows.map((row) => [row[key], row[count]])), `filters: ${name}`).toEqual(
      values[name],
    );
  }
  for (const [name, key, of] of [
    ['hosts', 'host', values.referredHosts],
    ['countries', 'country', values.referredCountries],
  ] as const)
    for (const row of filters[name] as Record<string, number>[]) {
      const { hits = 0, bot_hits: ofBots = 0, referrals = 0 } = row;
      expect([referrals, ofBots], `filters: ${name}`).toEqual([of[row[key] ?? ''] ?? 0, hits - referrals]);
    }
}

it('every report is what a slow recount says, whatever arrives when and whichever days are counted', async () => {
  const [sqlite] = databases.backends;
  const everyTable: Recounted['filter'][] = [{}, { path: '/b' }, { country: 'DE' }];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), question, async (steps, asked) => {
      now = START;
      const fresh = await sqlite?.fresh({ clock: () => now });
      if (fresh === undefined) throw new Error('There is no backend');
      try {
        const database = await fresh.node();
        const place = openPlace({ ...store, database, clock: () => now });
        const site = await place.zoned(asked.zone);
        let zone: string = asked.zone;
        const hits: StoredHit[] = [];
        const check = async (filter = asked.filter) => {
          const to = dayAt(zone, now) - asked.back;
          const { compare, include } = asked;
          const days = { from: to - asked.length + 1, to, today: dayAt(zone, now), since: null };
          const period = { ...days, compare, filter, include, zone };
          await holds(place, site, hits, period);
        };
        for (const step of steps) {
          const today = Math.floor(now / DAY);
          if (step.kind === 'arrive')
            hits.push(
              ...(await place.put(
                site,
                step.hits.map((drawn) => rowOf(drawn, today)),
              )),
            );
          else if (step.kind === 'run') await place.reports.rollup.run();
          else if (step.kind === 'run_day')
            await place.reports.rollup.run(new Date((today - step.days) * DAY).toISOString().slice(0, 10));
          else if (step.kind === 'move') {
            await site.move(step.zone);
            zone = step.zone;
            if (step.counted) await place.reports.recounting.run();
          } else now += step.hours * HOUR;
        }
        await check();
        await place.reports.rollup.run();
        now += DAY;
        // As a version with fewer daily tables has left them.
        await database.kysely.updateTable('daily_rows').set({ complete_run: null }).execute();
        await check();
        await place.reports.completeDays.run();
        // In turn, for each of the tables of daily rows: without pages, with them, and with all keys.
        const [filter] = everyTable.splice(0, 1);
        if (filter !== undefined) {
          everyTable.push(filter);
          await check(filter);
        }
      } finally {
        await fresh.remove();
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 600_000);
