/** Single visits: filters, pages by cursor while others arrive, counts over time, and what is refused. */
import type { StoredHit } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { visits } from './catalog/visits-report.ts';
import { openPlace, type Place, parametersOf, type Site } from './testing/place.ts';
import { type VisitQuestion, visitCounts, visitsOf, visitTotals } from './testing/recount-visits.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 15, 12);
let now = NOW;
let databases: TestDatabases;
let store: TestWarehouse;
let place: Place;
/** The next statement fails with this error. */
let failing: Error | null = null;

beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
  const fresh = await databases.backends[0]?.fresh({ clock: () => now });
  if (fresh === undefined) throw new Error('There is no backend');
  const warehouse: Warehouse = {
    ...store.warehouse,
    rows: async (lane, statement, signal) => {
      if (failing !== null && statement.sql.includes('user_agent')) throw failing;
      return await store.warehouse.rows(lane, statement, signal);
    },
  };
  place = openPlace({ warehouse, database: await fresh.node(), clock: () => now, retentionDays: 90 });
});
afterAll(async () => {
  await place.reports.close();
  await store.close();
  await databases.close();
});
beforeEach(() => {
  now = NOW;
  failing = null;
});

interface Item {
  readonly id: string;
  readonly at: string;
}
interface Listed {
  readonly items: readonly Item[];
  readonly previous: string | null;
  readonly next: string | null;
}
interface Counted {
  readonly step: string;
  readonly kept_since: string;
  readonly totals: object;
  readonly series: readonly ({ at: string; until: string; hits: number } & Record<string, unknown>)[];
}

const ask = async <T = Listed>(site: Site, path: string, query: VisitQuestion) =>
  await place.json<T>(site, `${path}?${new URLSearchParams(query)}`);
const exported = async (site: Site, query: VisitQuestion): Promise<Item[]> => {
  const answer = await place.get(site, `visits?${new URLSearchParams({ ...query, format: 'ndjson' })}`);
  return (await answer.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};
const asText = (query: VisitQuestion): string => new URLSearchParams(query).toString();
/** What the page after another one is asked for; null: there is none. */
const after = (page: Listed | undefined): VisitQuestion | null =>
  page === undefined || page.next === null ? null : { after: page.next };
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const hit: fc.Arbitrary<Partial<StoredHit>> = fc
  .record({
    class: oneOf<StoredHit['class']>('ai_bot', 'ai_bot', 'ai_referral', 'sample', 'search_engine'),
    // Few moments, so that many visits share one.
    at: oneOf(0, 1, 2, 3 * HOUR, 30 * HOUR, 12 * DAY, 40 * DAY).map((ago) => NOW - ago),
    bot: oneOf(
      { bot_name: 'GPTBot', vendor: 'OpenAI', intent: 'training' as const },
      { bot_name: 'ClaudeBot', vendor: 'Anthropic', intent: 'training' as const },
      { bot_name: 'ChatGPT-User', vendor: 'OpenAI', intent: 'on_demand' as const },
    ),
    verified: oneOf(true, false, null),
    path: oneOf('/', '/a', '/Blog/one', '/blog/two', '/style.css', "/it's 100%_\\"),
    host: oneOf('shop.example', 'www.shop.example'),
    status: oneOf(0, 200, 204, 301, 304, 404, 410, 503, 999),
    country: oneOf('', 'DE', 'US'),
    asn: oneOf(0, 8_075, 64_500),
    source: oneOf('edge_worker', 'edge_logpush'),
    user_agent: oneOf('Mozilla/5.0 (compatible; GPTBot/1.2)', 'curl/8', 'ÄÖ bot'),
    worker_version: oneOf('', '0.5.0'),
    sample_rate: oneOf(0, 0, 0.5, 0.03, 1),
    other_bot: fc.boolean(),
  })
  .map(({ bot, class: of, verified, sample_rate: drawn, other_bot: isProgram, ...rest }) => {
    const isBot = of === 'ai_bot' || of === 'search_engine';
    const rate = of === 'sample' ? drawn || 0.5 : drawn;
    return {
      ...rest,
      ...(isBot ? bot : { bot_name: '', vendor: '', intent: '' as const }),
      class: of,
      verified: isBot ? verified : null,
      verified_by: isBot && verified === true ? ('server_cidr' as const) : ('' as const),
      verdict_reason: !isBot ? '' : verified === null ? 'no_address' : verified ? 'ranges' : 'outside_ranges',
      referrer_engine: of === 'ai_referral' ? 'ChatGPT' : '',
      other_bot: of === 'sample' && isProgram,
      sample_rate: rate,
      weight: rate > 0 ? 1 / rate : 1,
    };
  });

const narrowing: fc.Arbitrary<VisitQuestion> = oneOf<VisitQuestion>(
  {},
  {},
  { class: 'ai_bot,sample' },
  { class: 'sample', other_bot: 'true' },
  { verdict: 'verified,unknown' },
  { verdict: 'verified,unknown,none' },
  { verdict: 'spoofed,none', class: 'ai_bot,ai_referral,sample' },
  { verdict: 'spoofed', bot: 'gptBOT' },
  { verified: 'unknown' },
  { verdict_reason: 'outside_ranges' },
  { verified_by: 'server_cidr', vendor: 'openai' },
  { path_contains: 'BLOG' },
  { path_contains: "'s 100%_\\" },
  { path: '/bl' },
  { page: '/a', intent: 'training' },
  { kind: 'file' },
  { kind: 'page', host: 'shop.example' },
  { status: '4xx,503' },
  { status: 'ok' },
  { status: 'redirect' },
  { status: 'error', host: 'WWW.shop.example' },
  { country: 'DE', source: 'edge_worker' },
  { source: 'edge_worker,edge_logpush' },
  { asn: '8075' },
  { asn: '0' },
  { user_agent: 'gptbot/' },
  { version: '0.5.0' },
  { engine: 'ChatGPT' },
  { since: new Date(NOW - 31 * HOUR).toISOString(), until: new Date(NOW - 1).toISOString() },
);
const period = oneOf<VisitQuestion>({}, { from: '2026-03-15' }, { from: '2026-01-10' });

describe('pages', () => {
  it('one after the other are one export: nothing twice, nothing left out, while others arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hit, { minLength: 5, maxLength: 60 }),
        fc.array(hit, { minLength: 1, maxLength: 3 }),
        narrowing,
        period,
        oneOf('asc', 'desc'),
        fc.integer({ min: 1, max: 9 }),
        async (values, late, narrow, days, order, least) => {
          const site = place.site();
          const hits = await place.put(site, values);
          const begin = Date.parse(days['from'] ?? '2026-02-16');
          const question = { ...narrow, ...days };
          const expected = visitsOf(hits, narrow).filter(({ at }) => at >= begin);
          // Opened once: how a question becomes a plan is the same for all.
          const open = await place.context(site, visits, asText(question), new AbortController().signal);
          const read = async (more: VisitQuestion): Promise<Listed> =>
            (await visits.run(open, parametersOf(visits, asText({ ...question, order, ...more })))) as Listed;
          const whole = await exported(site, { ...question, order });
          expect(ids(whole).toSorted()).toEqual(ids(expected).toSorted());
          const times = whole.map(({ at }) => Date.parse(at));
          expect(times).toEqual(times.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));

          const limit = `${Math.max(least, Math.ceil(whole.length / 3))}`;
          const pages: Listed[] = [];
          for (let next: VisitQuestion | null = {}; next !== null; next = after(pages.at(-1)))
            pages.push(await read({ limit, ...next }));
          expect(pages.flatMap(({ items }) => items)).toEqual(whole.map(withoutNotes));
          // Back again, from the last to the first.
          const back: Listed[] = pages.slice(-1);
          for (let before = back[0]?.previous ?? null; before !== null; before = back[0]?.previous ?? null)
            back.unshift(await read({ limit, before }));
          expect(ids(back.flatMap(({ items }) => items))).toEqual(ids(whole));

          const seen: string[] = [];
          for (let next: VisitQuestion | null = {}; next !== null; ) {
            const page = await read({ limit, ...next });
            seen.push(...ids(page.items));
            next = after(page);
            if (seen.length < 40 && next !== null) await place.put(site, late);
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(ids(whole).filter((id) => !seen.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 6 },
    );
  });

  it('are refused with two directions, or with a cursor of another making', async () => {
    const site = place.site();
    const cursor = '1773576000000.00000000-0000-4000-8000-000000000000';
    for (const query of [`after=${cursor}&before=${cursor}`, 'after=1', `before=1.${'0'.repeat(36)}`])
      expect((await place.get(site, `visits?${query}`)).status).toBe(422);
  });
});

/** What a file says of all its rows. */
interface Notes {
  readonly population?: string;
  readonly over_quota?: string;
}
const withoutNotes = ({ population: _, over_quota: __, ...item }: Item & Notes) => item;

describe('counts', () => {
  it('say what the raw rows say, of raw days and closed ones, in total and for each bar', async () => {
    let isCounted = false;
    await fc.assert(
      fc.asyncProperty(
        fc.array(hit, { minLength: 20, maxLength: 60 }),
        fc.array(fc.tuple(narrowing, period), { minLength: 4, maxLength: 4 }),
        async (values, questions) => {
          isCounted = !isCounted;
          const site = place.site();
          const hits = await place.put(site, values);
          if (isCounted) await place.reports.rollup.run();
          for (const [narrow, days] of questions) {
            const begin = Date.parse(days['from'] ?? '2026-02-16');
            const expected = visitsOf(hits, narrow).filter(({ at }) => at >= begin);
            const answer = await ask<Counted>(site, 'visits/counts', { ...narrow, ...days });
            expect([narrow, answer.totals]).toEqual([narrow, visitTotals(expected)]);
            for (const { at, until, ...counts } of answer.series)
              expect([at, counts]).toEqual([
                at,
                visitCounts(expected.filter((one) => one.at >= Date.parse(at) && one.at < Date.parse(until))),
              ]);
            const { values: hosts } = await ask<{ values: object[] }>(site, 'visits/values', {
              ...{ ...narrow, ...days, of: 'host' },
            });
            const { host: _, ...others } = narrow;
            const under = visitsOf(hits, others).filter(({ at }) => at >= begin);
            const byHost = Object.entries(Object.groupBy(under, ({ host }) => host));
            expect(hosts).toHaveLength(byHost.length);
            for (const [value, rows = []] of byHost)
              expect(hosts).toContainEqual({ value, hits: rows.length });
          }
        },
      ),
      { numRuns: 4 },
    );
  });

  it.each([
    ['a day', { from: '2026-03-15' }, 'hour', 24],
    ['a week', { from: '2026-03-09' }, 'hour', 168],
    ['28 days', {}, 'day', 28],
    ['an hour', { since: '2026-03-15T09:00:00Z', until: '2026-03-15T10:00:00Z' }, 'minute', 60],
  ])('are drawn by a step that fits %s', async (_, query, step, bars) => {
    const answer = await ask<Counted>(place.site(), 'visits/counts', query as VisitQuestion);
    expect([answer.step, answer.series.length]).toEqual([step, bars]);
  });

  it('made up to try a connection are listed and counted where they are asked for, and are no people', async () => {
    const site = place.site();
    const test = { class: 'test' as StoredHit['class'], bot_name: 'GPTBot', verified: null };
    await place.put(site, [{ ...test }, { ...test }, { bot_name: 'GPTBot' }]);
    const totals = async (query: VisitQuestion) => (await ask<Counted>(site, 'visits/counts', query)).totals;
    expect(await totals({ class: 'test' })).toMatchObject({ hits: 2, tests: 2, people: 0, unknown: 0 });
    expect(await totals({ class: 'ai_bot,test' })).toMatchObject({ hits: 3, tests: 2, people: 0 });
    expect(await totals({})).toMatchObject({ hits: 1, tests: 0, people: 0 });
  });

  it('have the hours of the property’s day, also where the clock changes', async () => {
    const site = await place.zoned('Europe/Berlin');
    now = Date.UTC(2026, 2, 30, 12);
    const { series } = await ask<Counted>(site, 'visits/counts', { from: '2026-03-29', to: '2026-03-29' });
    expect([series.length, series[0]?.at, series.at(-1)?.until]).toEqual([
      23,
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  it('end where single visits are kept no longer, as the list does', async () => {
    const site = place.site();
    await place.put(site, [{ at: NOW - 89 * DAY }, { at: NOW - 91 * DAY }]);
    const days = { from: '2025-11-01' };
    const counts = await ask<Counted>(site, 'visits/counts', days);
    expect(counts).toMatchObject({ kept_since: '2025-12-16', totals: { hits: 1 } });
    expect((await ask(site, 'visits', days)).items).toHaveLength(1);
  });
});

it.each([
  ['visits', '158'],
  ['visits', '159'],
  ['visits/counts', '158'],
  ['visits/values', '160'],
])('%s that read too much say how to ask for less (%s)', async (path, code) => {
  failing = Object.assign(new Error('too many rows'), { code, type: 'TOO_MANY_ROWS' });
  const answer = await place.get(place.site(), `${path}?user_agent=bot`);
  expect(answer.status).toBe(422);
});

it.each([
  'class=bots',
  'verdict=fake',
  'status=4x',
  'status=toString',
  'asn=',
  'asn=x',
  'asn=4294967296',
  'since=monday',
  'other_bot=maybe',
])('a filter that says nothing is refused: %s', async (query) => {
  expect((await place.get(place.site(), `visits?${query}`)).status).toBe(422);
});
