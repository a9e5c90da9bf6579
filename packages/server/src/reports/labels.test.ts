/** What an answer says of its own figures: which values a filter may take, what a filter does not narrow, and what comes from samples. */
import type { StoredHit } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
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
  place = openPlace({ ...store, database, clock: () => NOW });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await databases.close();
});

const GPT = { bot_name: 'GPTBot', vendor: 'OpenAI', engine: 'openai', intent: 'training' } as const;
const USER = { ...GPT, bot_name: 'ChatGPT-User', intent: 'on_demand' } as const;
const CLAUDE = {
  bot_name: 'ClaudeBot',
  vendor: 'Anthropic',
  engine: 'anthropic',
  intent: 'training',
} as const;
const referral: Partial<StoredHit> = {
  ...{ class: 'ai_referral', bot_name: '', vendor: '', engine: '', intent: '', verified: null },
  ...{ referrer_engine: 'ChatGPT', referral_signal: 'referrer', host: 'blog.example', country: 'FR' },
};

describe('the values of a filter', () => {
  const made = async (): Promise<Site> => {
    const site = place.site();
    await place.put(site, [
      { ...GPT, host: 'shop.example', country: 'DE', verified: true },
      { ...GPT, host: 'docs.example', country: 'US', verified: true },
      { ...GPT, host: 'fake.example', country: 'RU', verified: false },
      { ...USER, host: 'shop.example', country: 'US', verified: null },
      { ...CLAUDE, host: 'shop.example', country: 'DE', verified: null },
      referral,
    ]);
    return site;
  };
  type Values = Record<string, Record<string, string | number>[]>;
  const values = async (site: Site, query: string) => {
    const answer = await place.json<Values>(site, `filters?${query}`);
    const of = (list: string, name: string) => answer[list]?.map((row) => row[name]).sort() ?? [];
    return {
      bots: of('bots', 'bot'),
      vendors: of('vendors', 'vendor'),
      intents: of('intents', 'intent'),
      hosts: of('hosts', 'host'),
      countries: of('countries', 'country'),
      engines: of('engines', 'engine'),
    };
  };

  it('are those that occur under all the other filters, its own left out', async () => {
    const site = await made();
    const everything = {
      bots: ['ChatGPT-User', 'ClaudeBot', 'GPTBot'],
      vendors: ['Anthropic', 'OpenAI'],
      intents: ['on_demand', 'training'],
      hosts: ['blog.example', 'docs.example', 'shop.example'],
      countries: ['DE', 'FR', 'US'],
      engines: ['ChatGPT'],
    };
    expect(await values(site, '')).toEqual(everything);
    expect(await values(site, 'bot=gptbot')).toEqual({
      ...everything,
      ...{ vendors: ['OpenAI'], intents: ['training'] },
      ...{ hosts: ['docs.example', 'shop.example'], countries: ['DE', 'US'] },
    });
    expect(await values(site, 'host=shop.example&vendor=OpenAI')).toEqual({
      ...{ bots: ['ChatGPT-User', 'GPTBot'], vendors: ['Anthropic', 'OpenAI'] },
      ...{ intents: ['on_demand', 'training'], hosts: ['docs.example', 'shop.example'] },
      ...{ countries: ['DE', 'US'], engines: [] },
    });
    expect(await values(site, 'country=FR')).toEqual({
      ...{ bots: [], vendors: [], intents: [], hosts: ['blog.example'] },
      ...{ countries: ['DE', 'FR', 'US'], engines: ['ChatGPT'] },
    });
    expect(await values(site, 'country=DE&host=shop.example&intent=training')).toMatchObject({
      ...{ bots: ['ClaudeBot', 'GPTBot'], intents: ['training'], countries: ['DE', 'US'].slice(0, 1) },
      hosts: ['shop.example'],
    });
  });

  it('count the population, and are 500 of each at most, most hits first', async () => {
    const site = await made();
    expect((await values(site, 'include=spoofed')).hosts).toContain('fake.example');
    expect(await values(site, 'verified=false')).toMatchObject({
      ...{ bots: ['GPTBot'], hosts: ['fake.example'], countries: ['RU'] },
    });
    const many = place.site();
    await place.put(
      many,
      Array.from({ length: 501 }, (_, index) => ({ ...GPT, host: `h${index}.example` })).concat({
        ...{ ...GPT, host: 'h500.example' },
      }),
    );
    const { hosts } = await place.json<Values>(many, 'filters?bot=GPTBot');
    expect(hosts).toHaveLength(500);
    expect(hosts?.[0]).toMatchObject({ host: 'h500.example', hits: 2 });
  });
});

describe('the overview', () => {
  it('names the parts that a filter does not narrow, and whose share of pages it tells', async () => {
    const site = place.site();
    await place.put(site, [{ ...GPT, path: '/a' }, { ...CLAUDE, path: '/b' }, referral]);
    const of = async (query: string) => {
      const { not_filtered, ai_share } = await place.json<{ not_filtered: object; ai_share: { of: string } }>(
        site,
        `overview?${query}`,
      );
      return [not_filtered, ai_share.of];
    };
    expect(await of('')).toEqual([{}, 'ai_bots']);
    expect(await of('include=spoofed')).toEqual([{}, 'ai_bots']);
    expect(await of('bot=GPTBot&intent=training')).toEqual([
      { referrals: ['bot', 'intent'], conversions: ['bot', 'intent'] },
      'filtered_bots',
    ]);
    expect(await of('page=/a&country=DE')).toEqual([{ conversions: ['page', 'country'] }, 'ai_bots']);
    expect(await of('verified=true&host=shop.example')).toEqual([
      { referrals: ['verified'], conversions: ['verified', 'host'] },
      'filtered_bots',
    ]);
  });

  it('says the same with the reports on referrals and the funnel', async () => {
    const site = place.site();
    await place.put(site, [GPT, referral]);
    for (const report of ['referrals', 'funnel']) {
      const { not_filtered } = await place.json<{ not_filtered: object }>(
        site,
        `${report}?bot=GPTBot&page=/a`,
      );
      expect(not_filtered, report).toEqual({ referrals: ['bot'], conversions: ['bot', 'page'] });
    }
  });

  it('counts failures of spoofed visits beside the others, and among them where they are asked for', async () => {
    const site = place.site();
    await place.put(site, [
      { ...GPT, verified: true },
      { ...GPT, verified: false, status: 404 },
      { ...GPT, verified: false, status: 503 },
      { ...GPT, verified: false, status: 301 },
    ]);
    expect(await place.json(site, 'overview')).toMatchObject({
      failures: { failures: 0, spoofed: 2, fix_first: [] },
    });
    expect(await place.json(site, 'overview?include=spoofed')).toMatchObject({
      failures: { failures: 2, spoofed: 2, fix_first: [] },
    });
  });
});

describe('what comes from samples', () => {
  const half = { sample_rate: 0.5, weight: 2 } as const;

  it('is said of each figure that it is true of, and of no other', async () => {
    const site = place.site();
    await place.put(site, [
      { ...GPT, path: '/a', verified: true },
      { ...GPT, ...half, path: '/a', verified: null, verdict_reason: 'sampled_address' },
      { ...GPT, ...half, path: '/a', verified: false, status: 404 },
      { ...CLAUDE, path: '/b', verified: true, status: 404 },
      referral,
      { ...referral, ...half, referrer_engine: 'Claude', referral_signal: 'app' },
    ]);
    const answer = await place.json<{ series: object[] }>(site, 'overview');
    expect(answer).toMatchObject({
      headline: { ai_bot_hits: 4, estimated: 2, estimates: { spoofed: 2, referrals: 2 } },
      trust: { verified: 2, spoofed: 2, unknown: 2, estimates: { spoofed: 2, unknown: 2 } },
      top_bots: [
        { bot: 'GPTBot', hits: 3, estimated: 2 },
        { bot: 'ClaudeBot', hits: 1, estimated: 0 },
      ],
      top_pages: [
        // What never answered well is no page.
        { path: '/a', hits: 3, estimated: 2 },
      ],
      referrals: {
        top: [
          { engine: 'Claude', visits: 2, estimated: 2 },
          { engine: 'ChatGPT', visits: 1, estimated: 0 },
        ],
      },
      failures: { failures: 1, estimated: 0, spoofed: 2, estimates: { spoofed: 2 } },
    });
    expect(answer.series.at(-1)).toMatchObject({
      ...{ hits: 4, training: 4, estimated: 2, referrals: 3 },
      estimates: { training: 2, spoofed: 2, unknown: 2, referrals: 2 },
    });
    const { series } = await place.json<{ series: { estimates: object }[] }>(site, 'overview?bot=ClaudeBot');
    expect(series.at(-1)?.estimates).toEqual({ referrals: 2 });
    expect(await place.json(site, 'trust')).toMatchObject({
      totals: {
        estimates: { spoofed: 2, unknown: 2, 'reasons.sampled_address': 2 },
      },
    });
    expect(await place.json(site, 'failures?include=spoofed')).toMatchObject({
      totals: { failures: 3, estimated: 2, estimates: { hits: 4, client_errors: 2, spoofed: 2 } },
      fix_first: [{ path: '/b', estimated: 0, estimates: {} }],
    });
    const csv = await (await place.get(site, 'bots?format=csv')).text();
    const [head = '', ...lines] = csv.trim().split('\r\n');
    const at = head.split(',').indexOf('estimates.unknown');
    expect(lines.map((line) => line.split(',')[at]).sort()).toEqual(['', '2']);
  });
});
