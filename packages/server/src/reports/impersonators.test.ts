/** What is done about visitors that the list does not know, or that are not who they say: a rule to block, and crawlers to add. */
import { type BotLists, embeddedLists } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { crawlerName } from './crawler-name.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const NOW = Date.UTC(2026, 3, 10, 12);
const LISTS: BotLists = {
  ...embeddedLists(),
  ip_ranges: embeddedLists().ip_ranges.map((set) => ({
    ...set,
    as_of: set.engine === 'perplexity' ? '2026-03-01' : '2026-04-10',
  })),
};
let databases: TestDatabases;
let store: TestWarehouse;
let database: Database;
let place: Place;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
  const fresh = await databases.backends[0]?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  database = await fresh.node();
  place = openPlace({ ...store, database, clock: () => NOW, lists: LISTS });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await databases.close();
});

type Row = Parameters<Place['put']>[1][number];
const many = (count: number, row: Row): Row[] => Array.from({ length: count }, () => ({ at: NOW, ...row }));
const spoofed = { verified: false, verdict_reason: 'outside_ranges' } as const;
const byRanges = { verified: true, verified_by: 'server_cidr', verdict_reason: 'ranges' } as const;

interface Blocking {
  readonly bots: readonly { readonly bot: string; readonly state: string; readonly spoofed: number }[];
  readonly targets: readonly {
    readonly target: string;
    readonly bots: readonly string[];
    readonly left_out: readonly { readonly bot: string; readonly why: string }[];
    readonly parts: readonly { readonly text: string }[];
    readonly blocked: number;
    readonly verified: number;
    readonly unknown: number;
  }[];
}
const blocking = async (site: Site, query = '') => {
  const answer = await place.json<Blocking>(site, `trust/blocking?${query}`);
  return { ...answer, of: (name: string) => answer.targets.find(({ target }) => target === name) };
};

describe('the rule against impersonators', () => {
  it('covers the names that impersonators used, and says what it would have blocked', async () => {
    const site = place.site();
    await place.put(site, [
      ...many(4, spoofed),
      ...many(3, byRanges),
      ...many(2, { verified: null, verdict_reason: 'no_address' }),
      ...many(5, { bot_name: 'ClaudeBot', vendor: 'Anthropic', engine: 'anthropic', ...byRanges }),
      ...many(6, { bot_name: 'PerplexityBot', vendor: 'Perplexity', engine: 'perplexity', ...spoofed }),
    ]);
    const answer = await blocking(site);
    expect(answer.bots).toMatchObject([
      { bot: 'PerplexityBot', state: 'outdated', spoofed: 6 },
      { bot: 'GPTBot', state: 'ok', spoofed: 4, verified: 3, unknown: 2, ranges_as_of: '2026-04-10' },
    ]);
    for (const target of ['cloudflare', 'nginx', 'apache', 'caddy'])
      expect(answer.of(target), target).toMatchObject({
        bots: ['GPTBot'],
        blocked: 4,
        verified: 0,
        unknown: 2,
      });
    expect(answer.of('nginx')?.parts[0]?.text).toContain('# Ghostlight, 2026-04-10');
    expect(answer.of('robots')).toMatchObject({ bots: [], parts: [], blocked: 0 });
  });

  it('covers every bot that can be checked where that is asked for', async () => {
    const site = place.site();
    await place.put(site, many(1, byRanges));
    expect((await blocking(site)).of('nginx')).toMatchObject({ bots: [], parts: [], blocked: 0 });
    const all = await blocking(site, 'cover=all');
    expect(all.of('nginx')?.bots).toEqual(expect.arrayContaining(['Applebot', 'CCBot', 'GPTBot']));
    expect(all.of('nginx')?.bots).not.toContain('PerplexityBot');
    expect((await blocking(site, 'cover=all&vendor=openai')).of('nginx')?.bots).toEqual([
      'ChatGPT-User',
      'GPTBot',
      'OAI-SearchBot',
    ]);
  });

  it('leaves out a bot whose genuine visits are not known by their addresses', async () => {
    const site = place.site();
    await place.put(site, [
      ...many(2, spoofed),
      ...many(1, { verified: true, verified_by: 'signature', verdict_reason: 'signature' }),
      ...many(3, { bot_name: 'CCBot', vendor: 'Common Crawl', engine: 'commoncrawl', ...spoofed }),
      ...many(7, {
        ...{ bot_name: 'CCBot', vendor: 'Common Crawl', engine: 'commoncrawl', verified: true },
        ...{ verified_by: 'edge_platform', verdict_reason: 'edge_platform' },
      }),
    ]);
    const answer = await blocking(site);
    expect(answer.bots).toMatchObject([
      { bot: 'CCBot', state: 'ok' },
      { bot: 'GPTBot', state: 'signed' },
    ]);
    // Cloudflare lets those pass that it has verified itself; no other server can.
    expect(answer.of('cloudflare')).toMatchObject({ bots: ['CCBot'], blocked: 3, verified: 0 });
    expect(answer.of('apache')).toMatchObject({ bots: [], parts: [], blocked: 0, verified: 0 });
    expect(answer.of('cloudflare')?.left_out).toEqual([{ bot: 'GPTBot', why: 'signed' }]);
    expect(answer.of('apache')?.left_out).toEqual([
      { bot: 'CCBot', why: 'platform' },
      { bot: 'GPTBot', why: 'signed' },
    ]);
  });

  it('covers the same bots whatever period and filters are shown', async () => {
    const site = place.site();
    const before = NOW - 40 * 86_400_000;
    const ccbot = { bot_name: 'CCBot', vendor: 'Common Crawl', engine: 'commoncrawl' };
    await place.put(site, [
      ...many(2, spoofed),
      ...many(1, { at: before, verified: true, verified_by: 'signature', verdict_reason: 'signature' }),
      ...many(3, { ...ccbot, ...spoofed, path: '/shown' }),
      ...many(1, {
        ...{ at: before, ...ccbot, verified: true },
        ...{ verified_by: 'edge_platform', verdict_reason: 'edge_platform' },
      }),
      ...many(4, { at: before, bot_name: 'Applebot', vendor: 'Apple', engine: 'apple', ...spoofed }),
    ]);
    const covered = async (query: string) =>
      (await blocking(site, query)).targets.map(({ target, bots, left_out }) => ({
        ...{ target, bots },
        left_out: left_out.toSorted((a, b) => (a.bot < b.bot ? -1 : 1)),
      }));
    const whole = await covered('');
    expect(whole.find(({ target }) => target === 'nginx')).toMatchObject({
      bots: ['Applebot'],
      left_out: [
        { bot: 'CCBot', why: 'platform' },
        { bot: 'GPTBot', why: 'signed' },
      ],
    });
    for (const query of ['period=today', 'path=/shown', 'verified=false', 'host=other.example', 'country=DE'])
      expect(await covered(query), query).toEqual(whole);
    expect((await blocking(site, 'period=today')).of('nginx')).toMatchObject({ blocked: 0 });
    expect((await blocking(site, 'bot=applebot')).of('nginx')).toMatchObject({ bots: ['Applebot'] });
  });
});

interface Unlisted {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly programs: object;
}
const sample = (user_agent: string, more: Row = {}): Row => ({
  ...{ class: 'sample', bot_name: '', vendor: '', engine: '', intent: '', other_bot: true },
  ...{ sample_rate: 0.02, weight: 50, user_agent, ...more },
});
const ACME = 'Mozilla/5.0 (compatible; AcmeCrawler/2.1; +https://www.acme.example/crawler)';

describe('unlisted crawlers', () => {
  it('are named from samples, with how many visits they stand for and how sure that is', async () => {
    const site = place.site();
    await place.put(site, [
      ...many(6, sample(ACME)),
      ...many(2, sample('AcmeCrawler/2.2 (+https://acme.example/bot)', { path: '/robots.txt', asn: 64_500 })),
      ...many(3, sample('python-requests/2.32.3')),
      ...many(2, sample('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')),
      ...many(9, sample('Mozilla/5.0 (X11; Linux) Firefox/140.0', { other_bot: false })),
      ...many(1, sample(ACME, { at: NOW - 60 * 86_400_000 })),
      {
        ...sample('', { class: 'counted' as never, weight: 90, sample_rate: 0, source: 'tail', path: '' }),
        at: NOW,
      },
      ...['OtherBot (+https://other.example)', 'Googlebot (+https://google.com)'].map((agent) => ({
        ...sample(agent, {
          class: 'counted' as never,
          weight: 70,
          sample_rate: 0,
          source: 'nginx',
          path: '',
        }),
        at: NOW,
      })),
    ]);
    const answer = await place.json<Unlisted>(site, 'trust/unlisted');
    expect(answer.total).toBe(3);
    expect(answer.items).toMatchObject([
      {
        ...{ name: 'AcmeCrawler', token: 'acmecrawler', fault: null, added: false, certainty: 'likely' },
        ...{ contact: 'acme.example', user_agent: ACME, user_agents: 2, samples: 8, estimated: 400 },
        ...{ robots: 2, networks: [64_496, 64_500] },
      },
      { name: 'python-requests', certainty: 'unlikely', token: null, samples: 3, estimated: 150 },
      {
        ...{ name: 'OtherBot', token: 'otherbot', certainty: 'likely', contact: 'other.example' },
        // Counted one by one: they stand for themselves.
        ...{ samples: 0, counted: 70, estimated: 70, low: 70, high: 70, robots: 0 },
      },
    ]);
    const [{ low, high } = {}] = answer.items;
    expect(low).toBeGreaterThan(100);
    expect(low).toBeLessThan(400);
    expect(high).toBeGreaterThan(400);
    expect(answer.programs).toEqual({ sampled: 650, counted: 230, unnamed: 90 });
  });

  it('that the list has learned since are marked as added', async () => {
    const lists = {
      ...LISTS,
      bot_patterns: [
        ...LISTS.bot_patterns,
        ...[{ pattern: 'acmecrawler', bot_name: 'AcmeCrawler', intent: 'other' as const, custom: true }].map(
          (pattern) => ({ ...pattern, engine: 'custom-acme', vendor: 'Acme' }),
        ),
      ],
    };
    const other = openPlace({ ...store, database, clock: () => NOW, lists });
    const site = other.site();
    await other.put(site, many(1, sample(ACME)));
    expect((await other.json<Unlisted>(site, 'trust/unlisted')).items).toMatchObject([
      { name: 'AcmeCrawler', added: true, certainty: 'possible' },
    ]);
  });
});

describe('the name of a crawler', () => {
  it.each([
    ['Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/bot)', 'FooBot', 'foobot', 'foo.example'],
    ['foo-spider/3 (crawl@foo.example)', 'foo-spider', 'foo-spider', 'foo.example'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; NewAI-Agent/0.1) Chrome/140 Safari/537.36',
      'NewAI-Agent',
      'newai-agent',
      '',
    ],
    ['AhrefsBot/7.0', 'AhrefsBot', null, ''],
    ['curl/8.7.1', 'curl', null, ''],
    ['Go-http-client/2.0', 'Go-http-client', null, ''],
    ['Go-http-client/2.0 (+https://tool.example)', 'Go-http-client', 'go-http-client', 'tool.example'],
  ])('%s is %s', (userAgent, name, token, contact) => {
    expect(crawlerName(userAgent)).toMatchObject({ name, token, contact });
  });

  it.each([
    '',
    '-',
    'Mozilla/5.0',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  ])('is none in "%s"', (userAgent) => {
    expect(crawlerName(userAgent)).toBeNull();
  });
});
