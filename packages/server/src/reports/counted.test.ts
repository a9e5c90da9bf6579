/** Shares of traffic that logs have counted whole: exact where they did, estimated elsewhere, never both. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { daysText } from './file.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const NOON = Date.UTC(2026, 3, 10, 12);
let now = NOON + 12 * HOUR;
let databases: TestDatabases;
let store: TestWarehouse;
let database: Database;
let place: Place;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
  const fresh = await databases.backends[0]?.fresh({ clock: () => now });
  if (fresh === undefined) throw new Error('There is no backend');
  database = await fresh.node();
  place = openPlace({ ...store, database, clock: () => now });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await databases.close();
});

type Row = Parameters<Place['put']>[1][number];
/** How many other requests a log had in a quarter of an hour. */
const number = (requests: number, more: object = {}): Row =>
  ({
    ...{ source: 'tail', class: 'counted', at: NOON, weight: requests, path: '', country: '' },
    ...{ bot_name: '', vendor: '', engine: '', intent: '', worker_version: '', asset: false },
    ...more,
  }) as object as Row;
const visit = (more: Row = {}): Row => ({ source: 'tail', at: NOON + 60_000, worker_version: '', ...more });
const sample = (rate: number, more: Row = {}): Row => ({
  ...{ at: NOON, class: 'sample', bot_name: '', intent: '', sample_rate: rate, weight: 1 / rate },
  ...more,
});
const many = (count: number, row: Row): Row[] => Array.from({ length: count }, () => row);

interface ShareAnswer {
  readonly pages: Record<string, unknown>;
  readonly requests: Record<string, unknown>;
  readonly series: readonly { readonly day: string; readonly pages: object }[];
}
const PERIOD = 'from=2026-04-10&to=2026-04-11';
const share = async (site: Site, query = ''): Promise<ShareAnswer> =>
  await place.json<ShareAnswer>(site, `ai-share?${PERIOD}${query}`);

describe('a log that has every request', () => {
  it('has an exact share, before its day is closed and after', async () => {
    const site = place.site();
    await place.put(site, [
      ...many(5, visit()),
      number(90),
      number(5, { other_bot: true }),
      number(300, { asset: true }),
    ]);
    const expected = {
      pages: {
        ...{ state: 'ok', reason: null, denominator: 'counted', counted: 100 },
        ai_bots: { hits: 5, exact: 5, share: 0.05, low: 0.05, high: 0.05 },
        people: { hits: 90, exact: 90, share: 0.9, low: 0.9, high: 0.9 },
        other_bots: { hits: 5, share: 0.05 },
        total: { hits: 100, low: 100, high: 100 },
        sources: ['tail'],
      },
      requests: { counted: 400, people: { hits: 390 }, ai_bots: { share: 0.0125 } },
      counted_by: ['tail'],
      log_push_hits: 5,
      collector_hits: 0,
      days_without_samples: 0,
    };
    const open = await share(site);
    expect(open).toMatchObject(expected);
    expect(open.series[0]).toMatchObject({
      day: '2026-04-10',
      pages: { denominator: 'counted', share: 0.05 },
    });
    now += 30 * HOUR;
    await place.reports.rollup.run();
    expect(await share(site)).toMatchObject(expected);
    expect(await place.json(site, `overview?${PERIOD}`)).toMatchObject({
      ai_share: { state: 'ok', denominator: 'counted', counted: 100, share: 0.05 },
      headline: { ai_bot_hits: 5 },
    });
  });

  it('counts as much after a number that comes late, as its day is counted again', async () => {
    const site = place.site();
    await place.put(site, [...many(5, visit()), number(45)]);
    now += 30 * HOUR;
    await place.reports.rollup.run();
    await place.put(site, [number(50, { at: NOON + QUARTER })]);
    expect((await share(site)).pages).toMatchObject({ total: { hits: 100 } });
    await place.reports.rollup.run();
    expect((await share(site)).pages).toMatchObject({ total: { hits: 100 }, denominator: 'counted' });
  });

  it('has no share of visits whose time it has not counted', async () => {
    const site = place.site();
    await place.put(site, [visit(), number(0, { at: NOON + QUARTER }), visit({ at: NOON + QUARTER })]);
    expect((await share(site)).pages).toMatchObject({
      counted: 1,
      ai_bots: { hits: 1, share: 1 },
      denominator: 'counted',
    });
    const before = place.site();
    await place.put(before, [visit()]);
    expect((await share(before)).pages).toMatchObject({ state: 'not_available', reason: 'log_push_only' });
  });

  it('can say nothing by path or country, and something by host', async () => {
    const site = place.site();
    await place.put(site, [
      visit(),
      number(9),
      visit({ host: 'b.example' }),
      number(3, { host: 'b.example' }),
    ]);
    expect((await share(site, '&host=b.example')).pages).toMatchObject({ ai_bots: { share: 0.25 } });
    for (const filter of ['path=/', 'page=/', 'country=DE'])
      expect((await share(site, `&${filter}`)).pages, filter).toMatchObject({
        state: 'not_available',
        reason: 'counted_by_host_only',
        denominator: null,
      });
  });

  it('of a share of all requests is an estimate', async () => {
    const site = place.site();
    const rate = { sample_rate: 0.5 };
    await place.put(site, [...many(20, visit({ ...rate, weight: 2 })), number(360, rate)]);
    expect((await share(site)).pages).toMatchObject({
      denominator: 'mixed',
      samples: 200,
      ai_bots: { hits: 40, exact: 0, share: 0.1 },
    });
  });

  it('is asked by the days of the property', async () => {
    const site = await place.zoned('Asia/Kolkata');
    const midnight = Date.UTC(2026, 3, 10, 18, 30);
    await place.put(site, [
      ...[visit({ at: midnight - 1 }), number(1, { at: midnight - QUARTER })],
      ...[visit({ at: midnight }), number(3, { at: midnight })],
    ]);
    expect((await share(site)).series).toMatchObject([
      { day: '2026-04-10', pages: { share: 0.5 } },
      { day: '2026-04-11', pages: { share: 0.25 } },
    ]);
  });
});

describe('a collector beside such a log', () => {
  it('adds what the log has not counted, and nothing twice', async () => {
    const site = place.site();
    const worker: Row = { source: 'edge_worker' };
    await place.put(site, [
      // Counted: the samples and visits of the collector are in these numbers.
      ...many(10, visit()),
      number(90),
      ...many(10, { ...worker, at: NOON + 30 * 60_000 }),
      ...many(9, sample(0.1)),
      // Two hours later the log was not read.
      ...many(20, { ...worker, at: NOON + 2 * HOUR }),
      ...many(60, sample(0.5, { at: NOON + 2 * HOUR })),
    ]);
    expect(await share(site)).toMatchObject({
      pages: {
        ...{ state: 'ok', denominator: 'mixed', counted: 100, samples: 60 },
        ai_bots: { hits: 30, exact: 30 },
        people: { hits: 210, exact: 90 },
        // Of the collector's visits, those of counted hours are left out.
        sources: null,
      },
      counted_by: ['tail'],
      days_without_samples: 0,
    });
  });

  it('counts the visits of a day on which a path has no sample, and says how many such days there are', async () => {
    const site = place.site();
    const worker = { source: 'edge_worker' } as const;
    await place.put(site, [
      ...many(10, { ...worker, at: NOON, path: '/lamps' }),
      ...many(40, sample(0.5, { path: '/lamps' })),
      // Another path has a sample on the day before, and a picture of this one has.
      ...many(7, { ...worker, at: NOON - 24 * HOUR, path: '/lamps' }),
      sample(0.5, { at: NOON - 24 * HOUR, path: '/chairs' }),
      sample(0.5, { at: NOON - 24 * HOUR, path: '/lamps/a.png' }),
    ]);
    expect(await place.json(site, `ai-share?from=2026-04-09&to=2026-04-10&path=/lamps`)).toMatchObject({
      pages: { ai_bots: { hits: 17 }, total: { hits: 97 }, days_without_samples: 1 },
      requests: { ai_bots: { hits: 17 }, days_without_samples: 0 },
      days_without_samples: 0,
    });
    expect(await place.json(site, 'ai-share?from=2026-04-09&to=2026-04-10')).toMatchObject({
      pages: { ai_bots: { hits: 17 }, total: { hits: 99 }, days_without_samples: 0 },
    });
  });

  it('names the sources whose visits are all in the share: their list has as many', async () => {
    const site = place.site();
    const page = { path: '/lamps' };
    await place.put(site, [
      ...many(7, { at: NOON, source: 'edge_worker', ...page }),
      ...many(3, { at: NOON, source: 'edge_worker', path: '/logo.png' }),
      ...many(5, { at: NOON, source: 'edge_logpush', ...page }),
      ...many(40, sample(0.5, page)),
    ]);
    const { pages } = await share(site);
    expect(pages).toMatchObject({ ai_bots: { hits: 7 }, sources: ['edge_worker'] });
    const behind = 'class=ai_bot&verdict=verified,unknown&kind=page&source=edge_worker';
    expect(await place.json(site, `visits/counts?${PERIOD}&${behind}`)).toMatchObject({
      totals: { hits: 7 },
    });
  });

  it('keeps its estimate of another host', async () => {
    const site = place.site();
    await place.put(site, [
      ...[visit(), number(9)],
      ...many(40, sample(0.5, { host: 'b.example' })),
      { source: 'edge_worker', host: 'b.example', at: NOON },
    ]);
    expect((await share(site)).pages).toMatchObject({ people: { hits: 89 }, ai_bots: { hits: 2 } });
  });

  it('with a few samples of a small rest takes nothing from what is counted', async () => {
    const site = place.site();
    const later = { at: NOON + 2 * HOUR };
    await place.put(site, [...many(10, visit()), number(990), ...many(3, sample(0.1, later))]);
    expect((await share(site)).pages).toMatchObject({ state: 'ok', denominator: 'mixed', samples: 3 });
    await place.put(site, many(10, sample(0.1, later)));
    expect((await share(site)).pages).toMatchObject({ state: 'too_few_samples' });
  });
});

it('numbers are no hits: nothing but the share shows them', async () => {
  const site = place.site();
  await place.put(site, [visit(), number(90)]);
  expect(await place.json(site, `overview?${PERIOD}`)).toMatchObject({
    headline: { ai_bot_hits: 1 },
  });
  expect(await place.json(site, `collectors?${PERIOD}`)).not.toHaveProperty('counted');
  expect(JSON.stringify(await place.json(site, `pages?${PERIOD}&kind=all`))).not.toContain('90');
});

describe('a day over the quota', () => {
  const drop = async ({ id, organizationId }: Site, closed: boolean, day = '2026-04-10') =>
    await database.kysely
      .insertInto('over_quota_days')
      .values({
        ...{ attribution_id: id, organization_id: organizationId, day, over_at: NOON },
        ...{ closed_at: closed ? NOON : null, closed_until: closed ? NOON + 12 * HOUR : null },
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'attribution_id', 'day']).doUpdateSet({ closed_at: NOON }),
      )
      .execute();
  const collector: Row = { at: NOON, source: 'edge_worker' };

  it('has no share from samples, since AI visits came on when those were dropped', async () => {
    const site = await place.zoned('UTC');
    await place.put(site, [...many(50, collector), ...many(50, sample(1, { source: 'edge_worker' }))]);
    expect(await share(site)).toMatchObject({ over_quota_days: [], pages: { ai_bots: { share: 0.5 } } });
    await drop(site, false);
    expect(await share(site)).toMatchObject({
      over_quota_days: ['2026-04-10'],
      pages: { state: 'not_available', reason: 'over_quota', ai_bots: { share: null }, denominator: null },
      series: [{ day: '2026-04-10', pages: { share: null } }, {}],
    });
    expect(await place.json(site, `overview?${PERIOD}`)).toMatchObject({
      over_quota_days: ['2026-04-10'],
      ai_share: { state: 'not_available', reason: 'over_quota', share: null },
    });
    // Other days have theirs.
    const next = { at: NOON + 24 * HOUR, source: 'edge_worker' } as const;
    await place.put(site, [...many(20, next), ...many(80, sample(1, next))]);
    expect((await share(site)).pages).toMatchObject({ state: 'ok', ai_bots: { share: 0.2 } });
    expect(await place.json(site, 'bots?from=2026-04-11&to=2026-04-11')).toMatchObject({
      over_quota_days: [],
    });
  });

  it('is not named where the period is compared with no day, though it lies in the days before', async () => {
    const site = await place.zoned('UTC');
    await place.put(site, many(10, { at: NOON }));
    await drop(site, true);
    const later = now;
    // The second day is not over.
    now = NOON + 25 * HOUR;
    const today = await place.json(site, 'bots?from=2026-04-11&to=2026-04-11&compare=previous');
    now = later;
    expect(today).toMatchObject({ not_compared: 'not_over', over_quota_days: [] });
  });

  it('is compared with nothing, on either side, by hour too, and its files name it in every line', async () => {
    const site = await place.zoned('UTC');
    const day = (days: number, count: number) => many(count, { at: NOON + days * 24 * HOUR });
    await place.put(site, [...day(-3, 30), ...day(-2, 30), ...day(-1, 60)]);
    const compared = 'from=2026-04-09&to=2026-04-09&compare=previous';
    const ask = async (report: string, query = compared) => await place.json(site, `${report}?${query}`);
    expect(await ask('bots')).toMatchObject({
      ...{ not_compared: null, totals: { previous: { hits: 30 }, change: 1, gone: 0 } },
    });
    expect(await ask('hours')).toMatchObject({ compared: { from: '2026-04-08', to: '2026-04-08' } });
    // Of other days nothing is different.
    await drop(site, true, '2026-04-07');
    expect(await ask('bots')).toMatchObject({ not_compared: null, over_quota_days: [] });
    await drop(site, false, '2026-04-08');
    for (const report of ['pages', 'overview'])
      expect(await ask(report), report).toMatchObject({
        ...{ not_compared: 'over_quota', over_quota_days: ['2026-04-08'] },
        period: { previous: { from: '2026-04-08', to: '2026-04-08' } },
      });
    expect(await ask('bots')).toMatchObject({
      ...{ totals: { hits: 60, previous: null, change: null }, previous_series: null },
      items: [{ previous: null, change: null, change_stands_out: null }],
    });
    expect(await ask('pages')).toMatchObject({ items: [{ change: null }] });
    expect(await ask('hours')).toMatchObject({ compared: null, previous_series: null });
    const next = 'from=2026-04-07&to=2026-04-08&compare_from=2026-04-01';
    expect(await ask('bots', next)).toMatchObject({ not_compared: 'no_earlier_data' });
    expect(await ask('bots', 'from=2026-04-07&to=2026-04-09')).toMatchObject({ not_compared: null });

    const file = async (format: string) =>
      await (await place.get(site, `bots?from=2026-04-07&to=2026-04-09&format=${format}`)).text();
    const [head, ...lines] = (await file('csv')).trimEnd().split('\r\n');
    expect(head).toMatch(/,population,over_quota$/);
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['2026-04-07/2026-04-08']);
    expect(JSON.parse(await file('ndjson'))).toMatchObject({ over_quota: '2026-04-07/2026-04-08' });
  });

  it.each([
    [[], ''],
    [[1], '1970-01-02'],
    [[1, 2, 4], '1970-01-02/1970-01-03 1970-01-05'],
    [Array.from({ length: 12 }, (_, index) => 2 * index), /^1970-01-01 (\d{4}-\d\d-\d\d ){9}\+2$/],
  ])('is one of %j, in a cell', (days, text) => {
    expect(daysText(days)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  it('keeps the share of a log that counts the others, until visits of AI are dropped too', async () => {
    const site = await place.zoned('UTC');
    await place.put(site, [...many(5, visit()), number(95)]);
    await drop(site, false);
    expect((await share(site)).pages).toMatchObject({ denominator: 'counted', ai_bots: { share: 0.05 } });
    await drop(site, true);
    expect((await share(site)).pages).toMatchObject({ state: 'not_available', reason: 'over_quota' });
  });
});
