/** Search crawlers are in no AI figure: what every report says with them and without them. */
import type { StoredHit } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const START = Date.UTC(2026, 3, 3, 12);
let now = START;
let databases: TestDatabases;
let store: TestWarehouse;
let place: Place;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
  const fresh = await databases.backends[0]?.fresh({ clock: () => now });
  if (fresh === undefined) throw new Error('There is no backend');
  place = openPlace({ ...store, database: await fresh.node(), clock: () => now });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

type Hit = Partial<StoredHit>;
const nobody = { bot_name: '', vendor: '', engine: '', intent: '', verified: null, verified_by: '' } as const;
const sample = (rate: number, other_bot: boolean): Hit => ({
  ...nobody,
  ...{ class: 'sample', sample_rate: rate, weight: 1 / rate, other_bot },
});
const googlebot: Hit = {
  ...{ class: 'search_engine', bot_name: 'Googlebot', vendor: 'Google', engine: 'google', intent: 'search' },
};
/** As a collector samples them for a property that doesn't tell them apart, and as it is stored for one that does. */
const sampledGooglebot = (rate: number): Hit => ({
  ...googlebot,
  verified: null,
  sample_rate: rate,
  weight: 1 / rate,
});

/** Two days of everything that reports are made of. */
const traffic: readonly Hit[] = [START - DAY, START - 2 * HOUR].flatMap((at) => [
  { at, path: '/a', verified: true },
  { at, path: '/a', verified: false, asn: 64_500, country: 'RU' },
  { at, path: '/b', verified: null, status: 404, bot_name: 'ChatGPT-User', intent: 'on_demand' },
  { at, path: '/c', verified: true, source: 'edge_logpush' },
  {
    at,
    ...nobody,
    class: 'ai_referral',
    referrer_engine: 'ChatGPT',
    referral_signal: 'referrer',
    path: '/a',
  },
  ...Array.from({ length: 60 }, (_, index) => ({
    at,
    ...sample(0.1, index % 3 === 0),
    path: `/${index % 5}`,
  })),
]);
/** Named as an AI bot among them, failing, spoofed, of pages that nothing else has read, from elsewhere. */
const searchEngines: readonly Hit[] = [START - DAY + 1, START - HOUR].flatMap((at) => [
  { at, ...googlebot, path: '/a', verified: true },
  { at, ...googlebot, path: '/only-search', verified: true, status: 500, country: 'FR' },
  { at, ...googlebot, path: '/a', verified: false, asn: 64_501 },
  {
    at,
    ...googlebot,
    bot_name: 'GPTBot',
    vendor: 'OpenAI',
    path: '/a',
    verified: null,
    host: 'search.example',
  },
  { at, ...googlebot, path: '/d', verified: null, source: 'edge_logpush' },
]);

const ANSWERS = [
  ...[
    'overview',
    'bots',
    'bots?group=vendor',
    'pages',
    'pages?group=bot_page',
    'pages?group=folder&prefix=/',
  ],
  ...['failures', 'failures?group=bot&kind=server_error', 'trust', 'trust/sources', 'referrals', 'funnel'],
  ...['filters', 'pages/unread'],
];
/** The recount asks with all of them; these read each table of daily rows. */
const FILTERS = ['bot=googlebot', 'path=/only', 'country=FR'];
const FILTERED = new Set(['overview', 'bots', 'pages', 'filters']);

async function filled(hits: readonly Hit[]): Promise<Site> {
  const site = place.site();
  await place.put(site, hits);
  return site;
}

const ask = (site: Site, path: string, filter = '') => {
  const query = [filter, 'from=2026-04-02', 'to=2026-04-03', 'compare=none']
    .filter((part) => part !== '')
    .join('&');
  return place.json<Record<string, unknown>>(site, `${path}${path.includes('?') ? '&' : '?'}${query}`);
};

describe.each(['raw hits', 'closed days'])('from %s', (read) => {
  let without: Site;
  let withThem: Site;
  beforeAll(async () => {
    now = START;
    without = await filled(traffic);
    withThem = await filled([...traffic, ...searchEngines]);
    if (read === 'closed days') {
      now = START + 2 * DAY;
      await place.reports.rollup.run();
    }
  });

  it.each(ANSWERS)('%s is the same with search crawlers and without', async (path) => {
    for (const filter of ['', ...(FILTERED.has(path) ? FILTERS : [])]) {
      const [expected, found] = await Promise.all([ask(without, path, filter), ask(withThem, path, filter)]);
      // The first view shows the share, which has its own tests below.
      expect({ ...found, ai_share: null }, `${path} ${filter}`).toEqual({ ...expected, ai_share: null });
    }
  });

  it('the AI share counts them among the other programs alone, each visit of the collector as one', async () => {
    const [before, after] = [await ask(without, 'ai-share'), await ask(withThem, 'ai-share')];
    for (const kind of ['pages', 'requests'] as const) {
      type Slices = Record<
        'ai_bots' | 'ai_referrals' | 'other_bots' | 'people',
        { hits: number; exact: number }
      >;
      const [a, b] = [before[kind] as Slices, after[kind] as Slices];
      for (const slice of ['ai_bots', 'ai_referrals', 'people'] as const)
        expect([b[slice].hits, b[slice].exact]).toEqual([a[slice].hits, a[slice].exact]);
      // Four of five: log push has no share.
      expect(b.other_bots.hits - a.other_bots.hits).toBe(8);
    }
  });

  it('the share says how much it received by either way, search crawlers among it', async () => {
    const received = async (site: Site) => {
      const { collector_hits: collector, log_push_hits: logPush } = await ask(site, 'ai-share');
      return [Number(collector), Number(logPush)] as const;
    };
    const [[a = 0, b = 0], [c = 0, d = 0]] = [await received(without), await received(withThem)];
    expect([c - a, d - b]).toEqual([8, 2]);
  });

  it('the senders are those of everything that was received', async () => {
    const hits = async (site: Site) =>
      ((await ask(site, 'collectors'))['versions'] as { hits: number }[]).reduce(
        (sum, row) => sum + row.hits,
        0,
      );
    // Eight of ten are the collector's; whatever they really are, they were received.
    expect((await hits(withThem)) - (await hits(without))).toBe(8);
  });
});

it('the switch moves no share: where they were sampled, everything stays; where they are all sent, every share does', async () => {
  now = START;
  const rate = 0.1;
  const at = START - HOUR;
  const visits = <T>(count: number, hit: T) => Array.from({ length: count }, () => hit);
  const rest = [
    ...visits(100, { at, verified: true }),
    ...visits(40, { at, ...sample(rate, false) }),
    ...visits(10, { at, ...sample(rate, true) }),
  ];
  // Two hundred visits of search crawlers, by three ways.
  const off = await filled([...rest, ...visits(20, { at, ...sample(rate, true) })]);
  const sampled = await filled([...rest, ...visits(20, { at, ...sampledGooglebot(rate) })]);
  const whole = await filled([...rest, ...visits(200, { at, ...googlebot })]);
  expect(await ask(sampled, 'ai-share')).toEqual(await ask(off, 'ai-share'));
  type Kinds = Record<string, { hits: number; share: number }>;
  const shares = async (site: Site) => {
    const { ai_bots, ai_referrals, other_bots, people } = (await ask(site, 'ai-share'))['requests'] as Kinds;
    return [ai_bots, ai_referrals, other_bots, people].map((slice) => [slice?.hits, slice?.share]);
  };
  expect(await shares(whole)).toEqual(await shares(off));
});
