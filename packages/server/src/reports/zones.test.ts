import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase, type TestDatabases } from '../database/testing.ts';
import { DAILY_TABLE_NAMES, type Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** After the nightly run of the second of April: Europe and the Levant have changed their clocks on 29 March, America on 8 March. */
const START = Date.UTC(2026, 3, 2, 3);
/** Each day is three statements, and a busy machine has other work. */
const PATIENCE_MS = 240_000;
let now = START;
let databases: TestDatabases;
let store: TestWarehouse;
const opened: TestDatabase[] = [];
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
});
afterAll(async () => {
  for (const one of opened) await one.remove();
  await store.close();
  await databases.close();
});

async function open(retentionDays = 400): Promise<Place> {
  now = START;
  for (const table of ['hits', ...DAILY_TABLE_NAMES])
    await store.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
  const fresh = await databases.backends[0]?.fresh({ clock: () => now });
  if (fresh === undefined) throw new Error('There is no backend');
  opened.push(fresh);
  return openPlace({ ...store, database: await fresh.node(), clock: () => now, retentionDays });
}

interface Answer {
  readonly period: { readonly from: string; readonly to: string };
  readonly time_zone: string;
  readonly time_zone_since: string | null;
  readonly partial_days: readonly string[];
  readonly totals: { readonly hits: number; readonly previous: { readonly hits: number } | null };
  readonly series: readonly { readonly day: string; readonly hits: number }[];
}
const ask = async (place: Place, site: Site, query: string) =>
  await place.json<Answer>(site, `bots?${query}`);
const byDay = ({ series }: Answer) =>
  Object.fromEntries(series.filter(({ hits }) => hits > 0).map(({ day, hits }) => [day, hits]));
/** The calendar of the runtime, not ours. */
const dateIn = (zone: string, at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
const slowly = (zone: string, times: readonly number[]) => {
  const days: Record<string, number> = {};
  for (const at of times) days[dateIn(zone, at)] = (days[dateIn(zone, at)] ?? 0) + 1;
  return days;
};
const halfHours = (from: number, days: number) =>
  Array.from({ length: days * 48 }, (_, index) => from + index * 30 * MINUTE);
/** Every half hour of some days: a month's border, and each change of clocks of the zones below. */
const times = [
  ...halfHours(Date.UTC(2026, 1, 28, 12), 1),
  ...halfHours(Date.UTC(2026, 2, 8, 4), 1),
  ...halfHours(Date.UTC(2026, 2, 28, 20), 2),
];
const PERIOD = 'from=2026-02-20&to=2026-04-02';
const EARLY = 'from=2026-02-20&to=2026-03-20';

describe.each(['Europe/Berlin', 'America/New_York', 'Asia/Beirut', 'Asia/Kolkata'])(
  'a report in %s',
  (zone) => {
    it('counts days there, from raw hits and from daily rows alike', async () => {
      const place = await open();
      const site = await place.zoned(zone);
      await place.put(
        site,
        times.map((at) => ({ at })),
      );
      const raw = await ask(place, site, PERIOD);
      expect(raw).toMatchObject({ time_zone: zone, time_zone_since: null });
      expect(byDay(raw)).toEqual(slowly(zone, times));
      const { days } = await place.reports.rollup.run();
      const today = dateIn(zone, now);
      expect(Object.fromEntries(days.map(({ day, hits }) => [day, hits]))).toEqual(
        Object.fromEntries(Object.entries(slowly(zone, times)).filter(([day]) => day < today)),
      );
      const counted = await ask(place, site, PERIOD);
      expect(counted.partial_days.length).toBeLessThan(4);
      expect(byDay(counted)).toEqual(slowly(zone, times));
    });
  },
);

describe('a report', () => {
  it(
    'has a visit at half past eleven in the evening on that evening, and ends with today there',
    async () => {
      const place = await open();
      const site = await place.zoned('America/Los_Angeles');
      now = Date.UTC(2026, 2, 20, 8);
      await place.put(site, [{ at: Date.UTC(2026, 2, 20, 6, 30) }, { at: Date.UTC(2026, 2, 20, 7, 30) }]);
      const answer = await ask(place, site, '');
      expect(answer.period.to).toBe('2026-03-20');
      expect(byDay(answer)).toEqual({ '2026-03-19': 1, '2026-03-20': 1 });
      now = Date.UTC(2026, 2, 20, 6, 59);
      expect((await ask(place, site, '')).period.to).toBe('2026-03-19');
    },
    PATIENCE_MS,
  );

  it(
    'compares as many days with the ones before, also where one of them has 23 hours',
    async () => {
      const place = await open();
      const site = await place.zoned('Europe/Berlin');
      await place.put(
        site,
        halfHours(Date.UTC(2026, 2, 26, 12), 5).map((at) => ({ at })),
      );
      for (let turn = 0; turn < 2; turn += 1) {
        const { totals } = await ask(place, site, 'from=2026-03-29&to=2026-03-30&compare=previous');
        expect(totals).toMatchObject({ hits: 94, previous: { hits: 96 } });
        await place.reports.rollup.run();
      }
    },
    PATIENCE_MS,
  );

  it(
    'says in the head of a file whose days they are',
    async () => {
      const place = await open();
      const site = await place.zoned('Asia/Kolkata');
      await place.put(site, [{ at: START - DAY }]);
      const response = await place.get(site, 'bots?format=csv');
      expect(response.headers.get('X-Time-Zone')).toBe('Asia/Kolkata');
      await response.text();
    },
    PATIENCE_MS,
  );

  it(
    'counts a named day of each property, where it is over',
    async () => {
      const place = await open();
      now = Date.UTC(2026, 2, 20, 3);
      const [auckland, honolulu] = [
        await place.zoned('Pacific/Auckland'),
        await place.zoned('Pacific/Honolulu'),
      ];
      for (const site of [auckland, honolulu]) await place.put(site, [{ at: now - 6 * HOUR }]);
      expect(await place.reports.rollup.run('2026-03-20')).toMatchObject({
        days: [],
        skipped: [{ day: '2026-03-20', reason: 'open' }],
      });
      expect(await place.reports.rollup.run('2026-03-19')).toMatchObject({
        days: [],
        skipped: [{ day: '2026-03-19', reason: 'open' }],
      });
      now += 9 * HOUR;
      expect(await place.reports.rollup.run('2026-03-19')).toMatchObject({
        days: [{ day: '2026-03-19', properties: 1, hits: 1 }],
      });
      expect(await place.reports.rollup.run('2026-03-20')).toMatchObject({
        days: [{ day: '2026-03-20', properties: 1, hits: 1 }],
      });
    },
    PATIENCE_MS,
  );
});

describe('a change of the zone', () => {
  it(
    'counts the days again, and reports are right before, while and after',
    async () => {
      const place = await open();
      const site = await place.zoned('UTC');
      await place.put(
        site,
        times.map((at) => ({ at })),
      );
      await place.reports.rollup.run();
      for (const zone of ['America/New_York', 'Asia/Kolkata']) {
        await site.move(zone);
        const before = await ask(place, site, PERIOD);
        expect(before).toMatchObject({ time_zone: zone, time_zone_since: null });
        expect(byDay(before)).toEqual(slowly(zone, times));
        const waiting = await place.reports.recounting.progress(await place.property(site));
        expect(waiting?.counted).toBeLessThan(waiting?.days ?? 0);
        await place.reports.recounting.run();
        expect(await place.reports.recounting.progress(await place.property(site))).toBeNull();
        const after = await ask(place, site, PERIOD);
        expect(byDay(after)).toEqual(slowly(zone, times));
        expect(after.partial_days.length).toBeLessThan(4);
        // What was replaced is removed, and counted once.
        now += 2 * HOUR;
        await place.reports.rollup.run();
        expect(byDay(await ask(place, site, PERIOD))).toEqual(slowly(zone, times));
      }
    },
    PATIENCE_MS,
  );

  it(
    'reaches back as far as raw hits do; days before stay as they were counted, and no hit is of two days or of none',
    async () => {
      const place = await open(20);
      const site = await place.zoned('UTC');
      now = Date.UTC(2026, 2, 10, 3);
      const early = halfHours(Date.UTC(2026, 2, 2), 8);
      await place.put(
        site,
        early.map((at) => ({ at })),
      );
      await place.reports.rollup.run();
      now = Date.UTC(2026, 2, 24, 3);
      // Retention has taken what is older than 20 days.
      await store.warehouse.command({
        sql: `DELETE FROM hits WHERE at < fromUnixTimestamp64Milli(${now - 20 * DAY})`,
        settings: { lightweight_deletes_sync: 1 },
      });
      await site.move('Asia/Kolkata');
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await ask(place, site, EARLY);
        expect(answer.time_zone_since).toBe('2026-03-07');
        expect(answer.totals.hits).toBe(early.length);
        expect(byDay(answer)).toMatchObject({
          '2026-03-05': 48,
          '2026-03-06': 48,
          // From midnight in UTC to midnight in India.
          '2026-03-07': 37,
          '2026-03-08': 48,
        });
        await place.reports.recounting.run();
      }
      // Once more: what is of India is counted again, what is of UTC stays.
      await site.move('America/New_York');
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await ask(place, site, EARLY);
        expect(answer.time_zone_since).toBe('2026-03-07');
        expect(answer.totals.hits).toBe(early.length);
        await place.reports.recounting.run();
      }
    },
    PATIENCE_MS,
  );

  it(
    'takes no day again whose hits were deleted when they were kept for less long',
    async () => {
      const place = await open(400);
      const site = await place.zoned('UTC');
      await place.put(
        site,
        halfHours(Date.UTC(2026, 2, 7, 12), 4).map((at) => ({ at })),
      );
      await place.reports.rollup.run();
      await store.warehouse.command({
        sql: `DELETE FROM hits WHERE at < fromUnixTimestamp64Milli(${Date.UTC(2026, 2, 8, 6)})`,
        settings: { lightweight_deletes_sync: 1 },
      });
      await site.move('Europe/Berlin');
      await place.reports.recounting.run();
      const answer = await ask(place, site, PERIOD);
      expect(answer).toMatchObject({ time_zone_since: '2026-03-09', totals: { hits: 4 * 48 } });
      expect(byDay(answer)).toMatchObject({ '2026-03-08': 48, '2026-03-09': 46, '2026-03-11': 26 });
    },
    PATIENCE_MS,
  );

  it(
    'is taken up again where rows were not on every replica yet',
    async () => {
      const place = await open();
      const site = await place.zoned('UTC');
      await place.put(site, [{ at: START - 3 * DAY }, { at: START - 2 * DAY }]);
      await place.reports.rollup.run();
      await site.move('Asia/Kolkata');
      const database = await opened.at(-1)?.node();
      if (database === undefined) throw new Error('There is no database');
      let isLagging = true;
      const replicas: Warehouse = {
        ...store.warehouse,
        standing: async () => 'replicated',
        syncReplica: async () => undefined,
        rows: async (lane, statement, signal) => {
          const isOfRuns = statement.settings?.['select_sequential_consistency'] === 1;
          return isLagging && isOfRuns ? [] : await store.warehouse.rows(lane, statement, signal);
        },
      };
      const { recounting } = openPlace({ ...store, warehouse: replicas, database, clock: () => now }).reports;
      await recounting.run();
      expect(await recounting.progress(await place.property(site))).toEqual({ days: 2, counted: 0 });
      isLagging = false;
      await recounting.run();
      expect(await recounting.progress(await place.property(site))).toBeNull();
      expect((await ask(place, site, PERIOD)).partial_days).not.toContain('2026-03-31');
    },
    PATIENCE_MS,
  );

  it(
    'is taken up again after a crash, and a second change ends the first',
    async () => {
      const place = await open();
      const site = await place.zoned('UTC');
      await place.put(
        site,
        times.map((at) => ({ at })),
      );
      await place.reports.rollup.run();
      await site.move('Asia/Kolkata');
      const running = place.reports.recounting.run();
      now += MINUTE;
      await site.move('Europe/Berlin');
      await running;
      await place.reports.recounting.run();
      expect(byDay(await ask(place, site, PERIOD))).toEqual(slowly('Europe/Berlin', times));
      expect(await place.reports.recounting.progress(await place.property(site))).toBeNull();
    },
    PATIENCE_MS,
  );
});
