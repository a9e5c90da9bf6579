/** Days that are counted by one statement: the same rows as counted one by one, each day replaced and removed by itself, whatever breaks. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { daysIn } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase, type TestDatabases } from '../database/testing.ts';
import { DAILY_TABLE_NAMES as TABLES, type Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, silent, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { DAYS_AT_ONCE, HITS_AT_ONCE } from './batches.ts';
import { createCounting, type Done } from './counting.ts';
import { createLedger } from './ledger.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';
import { createZones } from './zones.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Europe and the Levant changed their clocks on 29 March, America on 8 March. */
const NOW = Date.UTC(2026, 3, 3, 4);
let now = NOW;
let databases: TestDatabases;
let store: TestWarehouse;
let fresh: TestDatabase;
let database: Database;
let place: Place;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});
beforeEach(async () => {
  now = NOW;
  // A run counts every property: those of the tests before are none of this one's.
  for (const table of ['hits', ...TABLES]) await store.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
  const [sqlite] = databases.backends;
  if (sqlite === undefined) throw new Error('There is no backend');
  fresh = await sqlite.fresh({ clock: () => now });
  database = await fresh.node();
  place = openPlace({ ...store, database, clock: () => now });
});
afterEach(async () => {
  await fresh.remove();
});

interface Asked {
  readonly zone?: string;
  readonly days: readonly number[];
  readonly warehouse?: Warehouse;
  readonly goesOn?: () => Promise<boolean>;
}
/** Counts days, in their order, whether they have grown or not. */
async function count(
  sites: readonly Site[],
  { zone = 'UTC', days, warehouse = store.warehouse, goesOn }: Asked,
) {
  const ledger = createLedger(database, () => now);
  const zones = createZones(database);
  const counter = createCounting({ warehouse, ledger, zones, clock: () => now, log: silent }, 0);
  return await (await counter.begin()).count({
    ...{ organizationId: sites[0]?.organizationId ?? '', attributionIds: sites.map(({ id }) => id) },
    ...{ calendar: daysIn(zone), days, force: true },
    ...(goesOn === undefined ? {} : { goesOn }),
  });
}

/** A warehouse that notes the inserts it gets. */
function listening(
  hear: (sql: string) => void = () => undefined,
): Warehouse & { readonly inserts: string[] } {
  const inserts: string[] = [];
  return {
    ...store.warehouse,
    inserts,
    command: async (statement, lane) => {
      if (statement.sql.startsWith('INSERT')) inserts.push(statement.sql);
      hear(statement.sql);
      await store.warehouse.command(statement, lane);
    },
  };
}

/** Every row of a site in every table, without the numbers of its runs; pages of lists as rows. */
async function rowsOf({ id }: Site): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const columns = '* EXCEPT (attribution_id, run';
    const sql = table.endsWith('_lists')
      ? `SELECT ${columns}, pages, weights), page, weight FROM ${table} ARRAY JOIN pages AS page, weights AS weight`
      : `SELECT ${columns}) FROM ${table}`;
    const where = 'WHERE attribution_id = {id:UUID} ORDER BY ALL';
    found[table] = await store.warehouse.rows('live', { sql: `${sql} ${where}`, params: { id } });
  }
  return found;
}

/** Day → how many hits its published run counted, by the ledger and by its rows. */
async function publishedOf({ id }: Site): Promise<[day: string, hits: number, stored: number][]> {
  const days = await database.kysely
    .selectFrom('daily_rows')
    .select(['day', 'run', 'hits'])
    .where('attribution_id', '=', id)
    .orderBy('day')
    .execute();
  const rows = await store.warehouse.rows<{ run: number; day: string; hits: number }>('live', {
    sql: `SELECT toFloat64(run) AS run, toString(day) AS day, toUInt32(sum(hits)) AS hits FROM daily_bot_pages
WHERE attribution_id = {id:UUID} GROUP BY run, day`,
    params: { id },
  });
  return days.map(
    ({ day, run, hits }) =>
      [...[day, hits, rows.find((row) => row.run === run && row.day === day)?.hits ?? 0]] as [
        string,
        number,
        number,
      ],
  );
}

const TODAY = Math.floor(NOW / DAY);
const lastDays = (many: number) => Array.from({ length: many }, (_, index) => TODAY - many + index);
const perDay = (days: readonly number[]) => days.map((day) => ({ at: day * DAY + 12 * HOUR }));
const date = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

describe('days that are counted together', () => {
  const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
  const hit = fc
    .record({
      // Changes of clocks in America and in Europe, a month's border, and days without hits between.
      day: oneOf(-26, -25, -5, -4, -3, -2),
      time: oneOf(0, DAY - 1, 4 * HOUR, 4 * HOUR - 1, 18.5 * HOUR - 1, 18.5 * HOUR, 21 * HOUR, 22 * HOUR),
      class: oneOf('ai_bot', 'ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'),
      bot_name: oneOf('GPTBot', 'ClaudeBot'),
      verified: oneOf(true, false, null),
      source: oneOf('edge_worker', 'nginx'),
      host: oneOf('shop.example', 'www.shop.example', ''),
      path: oneOf('/', '/a', '/b/c', '/robots.txt'),
      status: oneOf(200, 404),
      country: oneOf('DE', 'US'),
      sample_rate: oneOf(0, 0.5),
    })
    .map(({ day, time, class: name, ...values }) => ({
      ...values,
      ...{ at: (TODAY + day) * DAY + time, class: name as 'ai_bot' },
      weight: values.sample_rate === 0 ? 1 : 2,
    }));
  const zone = oneOf(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Beirut',
    'Asia/Kolkata',
    'Pacific/Apia',
  );

  it('are what they are when each is counted alone, in every zone and table', async () => {
    const drawn = fc.array(hit, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(zone, drawn, drawn, async (name, hits, others) => {
        const [together, alone] = [await place.zoned(name), await place.zoned(name)];
        // Beside it a property with other days, so that not every day is counted for both.
        const [neighbour, aloneToo] = [await place.zoned(name), await place.zoned(name)];
        for (const site of [together, alone]) await place.put(site, hits);
        for (const site of [neighbour, aloneToo]) await place.put(site, others);
        const calendar = daysIn(name);
        const days = [...new Set([...hits, ...others].map(({ at }) => calendar.dayAt(at)))];
        const done = await count([together, neighbour], { zone: name, days });
        const singly: Done[] = [];
        for (const day of days) singly.push(await count([alone, aloneToo], { zone: name, days: [day] }));
        expect(done.counted).toHaveLength(singly.flatMap(({ counted }) => counted).length);
        for (const [one, other] of [
          [together, alone],
          [neighbour, aloneToo],
        ] as const) {
          expect(await rowsOf(one)).toEqual(await rowsOf(other));
          expect(await publishedOf(one)).toEqual(await publishedOf(other));
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('take one statement per table, and every day has a run of its own', async () => {
    const site = await place.zoned('UTC');
    const days = lastDays(60);
    await place.put(site, perDay(days));
    const warehouse = listening();
    const { counted } = await count([site], { days, warehouse });
    expect(warehouse.inserts).toHaveLength(TABLES.length);
    expect(new Set(counted.map(({ run }) => run)).size).toBe(60);
    expect(await publishedOf(site)).toEqual(days.map((day) => [date(day), 1, 1]));

    // One of them grows: it alone is replaced, and removing what was replaced leaves the others.
    now += HOUR;
    await place.put(site, perDay(days.slice(30, 31)));
    await place.reports.rollup.run();
    now += 2 * HOUR;
    await place.reports.rollup.run();
    const expected = days.map((day, index) => [date(day), index === 30 ? 2 : 1, index === 30 ? 2 : 1]);
    expect(await publishedOf(site)).toEqual(expected);
    expect((await rowsOf(site))['daily_totals']).toHaveLength(60);
  });

  it('are few: one with many hits is alone', async () => {
    const site = await place.zoned('UTC');
    const days = lastDays(3);
    await place.put(site, perDay(days));
    await store.warehouse.command({
      sql: `INSERT INTO hits SELECT h.* REPLACE (generateUUIDv4() AS id) FROM hits AS h CROSS JOIN numbers(${HITS_AT_ONCE}) AS n
WHERE h.attribution_id = {id:UUID} AND toDate(h.at) = {date:Date}`,
      params: { id: site.id, date: date(TODAY - 2) },
    });
    const warehouse = listening();
    await count([site], { days, warehouse });
    expect(warehouse.inserts).toHaveLength(3 * TABLES.length);
    expect(await publishedOf(site)).toEqual([
      [date(TODAY - 3), 1, 1],
      [date(TODAY - 2), HITS_AT_ONCE + 1, HITS_AT_ONCE + 1],
      [date(TODAY - 1), 1, 1],
    ]);
  });

  it('are counted one by one where the engine has no memory for all', async () => {
    const site = await place.zoned('UTC');
    const days = lastDays(3);
    await place.put(site, perDay(days));
    const heard = listening();
    const isOfSeveral = (sql: string) => sql.includes('transform(');
    const warehouse: Warehouse = {
      ...heard,
      command: async ({ settings, ...statement }, lane) =>
        await heard.command(
          {
            ...statement,
            settings: { ...settings, ...(isOfSeveral(statement.sql) ? { max_memory_usage: 1 } : {}) },
          },
          lane,
        ),
    };
    expect((await count([site], { days, warehouse })).counted).toHaveLength(3);
    expect(heard.inserts.map(isOfSeveral)).toEqual([true, ...Array(3 * TABLES.length).fill(false)]);
    expect(await publishedOf(site)).toEqual(days.map((day) => [date(day), 1, 1]));
  });

  it('are counted together for several properties, whichever was visited first on a day', async () => {
    const [site, other] = [await place.zoned('UTC'), await place.zoned('UTC')];
    const days = lastDays(4);
    await place.put(site, perDay(days));
    await place.put(
      other,
      perDay(days).map(({ at }, index) => ({ at: at + (index % 2 === 0 ? -HOUR : HOUR) })),
    );
    const warehouse = listening();
    await openPlace({ ...store, warehouse, database, clock: () => now }).reports.rollup.run();
    expect(warehouse.inserts).toHaveLength(TABLES.length);
    for (const one of [site, other])
      expect(await publishedOf(one)).toEqual(days.map((day) => [date(day), 1, 1]));
  });

  it('end between two batches when they are to', async () => {
    const [site, other] = [await place.zoned('UTC'), await place.zoned('UTC')];
    const days = lastDays(3);
    await place.put(site, perDay(days));
    // Days of other properties are another batch.
    await place.put(other, perDay(days.slice(0, 2)));
    let asked = 0;
    const goesOn = async () => {
      asked += 1;
      return asked === 1;
    };
    expect((await count([site, other], { days, goesOn })).counted).toHaveLength(4);
    expect(asked).toBe(2);
    expect(await publishedOf(site)).toHaveLength(2);
  });

  it('are not looked at any more once they are to end', async () => {
    const site = await place.zoned('UTC');
    const days = lastDays(DAYS_AT_ONCE + 1);
    await place.put(site, perDay([...days.slice(0, 1), ...days.slice(-1)]));
    let asked = 0;
    const goesOn = async () => {
      asked += 1;
      return false;
    };
    expect((await count([site], { days, goesOn })).counted).toEqual([]);
    expect(asked).toBe(1);
  });
});

describe('a kill while days are counted together', () => {
  it.each(['of the engine', 'of the service'])(
    '%s leaves none doubled and none half counted',
    async (whose) => {
      const site = await place.zoned('UTC');
      const days = lastDays(5);
      await place.put(site, perDay(days));
      let statements = 0;
      const breaking = listening((sql) => {
        if (!sql.startsWith('INSERT')) return;
        statements += 1;
        if (statements !== 4) return;
        const pid = store.warehouse.pid();
        if (whose === 'of the engine' && pid !== null) process.kill(pid, 'SIGKILL');
        // Nothing is done after this, neither here nor in the ledger: as if the process were gone.
        else throw new Error('the service is gone');
      });
      await expect(count([site], { days, warehouse: breaking })).rejects.toThrow();
      // The engine starts again.
      await expect
        .poll(
          async () =>
            await store.warehouse.ping().then(
              () => true,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true);
      expect(await publishedOf(site)).toEqual([]);
      await count([site], { days });
      const expected = days.map((day) => [date(day), 1, 1]);
      expect(await publishedOf(site)).toEqual(expected);
      // What was written by then is removed, and nothing else.
      now += 2 * HOUR;
      await place.reports.rollup.run();
      expect(await publishedOf(site)).toEqual(expected);
      for (const [table, rows] of Object.entries(await rowsOf(site))) expect(rows, table).toHaveLength(5);
    },
  );
});
