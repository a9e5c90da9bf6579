import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateOf, retentionLimits } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabase, type TestDatabases } from '../database/testing.ts';
import { DAILY_TABLE_NAMES as TABLES } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { createLedger } from './ledger.ts';
import { createPlanner } from './plan.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The first of March, three in the morning: yesterday is last month. */
const START = Date.UTC(2026, 2, 1, 3);
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

const backend = (name: 'sqlite' | 'postgres') => {
  const found = databases.backends.find((one) => one.name === name);
  if (found === undefined) throw new Error('There is no such backend');
  return found;
};

async function open(
  retentionDays = 400,
  on: 'sqlite' | 'postgres' = 'sqlite',
): Promise<{ place: Place; database: Database; site: Site }> {
  now = START;
  // A run counts every property: those of the tests before are none of this one's.
  for (const table of ['hits', ...TABLES]) await store.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
  const fresh = await backend(on).fresh({ clock: () => now });
  opened.push(fresh);
  const database = await fresh.node();
  const place = openPlace({ ...store, database, clock: () => now, retentionDays });
  return { place, database, site: place.site() };
}

interface Bots {
  readonly partial_days: string[];
  readonly rolled_up_at: string | null;
  readonly totals: { readonly hits: number };
}
const hitsOf = async (place: Place, site: Site, query = 'from=2026-02-26&to=2026-03-01') =>
  await place.json<Bots>(site, `bots?${query}`);
/** What is stored, which is the same in every table. */
const rowsOf = async (site: Site) => {
  const [first, ...others] = await Promise.all(
    TABLES.map((table) =>
      store.warehouse.rows<{ day: string; hits: number }>('report', {
        sql: `SELECT toString(day) AS day, sum(${table.endsWith('_lists') ? 'arraySum(weights)' : 'weight'}) AS hits FROM ${table}
WHERE attribution_id = {id:UUID} GROUP BY day ORDER BY day`,
        params: { id: site.id },
      }),
    ),
  );
  for (const rows of others) expect(rows).toEqual(first);
  return first;
};

describe.each(['sqlite', 'postgres'] as const)('the nightly count on %s', (name) => {
  it('closes the days that are over, and shows the rest from raw hits, marked as such', async () => {
    const { place, site } = await open(400, name);
    await place.put(site, [
      { at: Date.UTC(2026, 1, 27, 23, 59, 59, 999) },
      { at: Date.UTC(2026, 1, 28) },
      { at: Date.UTC(2026, 1, 28, 23, 59, 59, 999) },
      { at: Date.UTC(2026, 2, 1) },
    ]);
    expect(await hitsOf(place, site)).toMatchObject({
      partial_days: ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'],
      rolled_up_at: null,
      totals: { hits: 4 },
    });
    const { days } = await place.reports.rollup.run();
    expect(days).toMatchObject([
      { day: '2026-02-27', hits: 1 },
      { day: '2026-02-28', hits: 2 },
    ]);
    expect(await hitsOf(place, site)).toMatchObject({
      partial_days: ['2026-03-01'],
      rolled_up_at: '2026-03-01T03:00:00.000Z',
      totals: { hits: 4 },
    });
  });

  it('replaces a day that late hits have changed, whole, and again and again changes nothing', async () => {
    const { place, site } = await open(400, name);
    const at = Date.UTC(2026, 1, 28, 12);
    await place.put(site, [{ at }, { at, path: '/b' }]);
    await place.reports.rollup.run();
    now += 5 * HOUR;
    await place.put(site, [{ at }]);
    // Seen at once, though its day was closed.
    expect(await hitsOf(place, site)).toMatchObject({
      partial_days: ['2026-02-28', '2026-03-01'],
      totals: { hits: 3 },
    });
    for (let turn = 0; turn < 2; turn += 1) {
      now += HOUR;
      await place.reports.rollup.run();
      expect(await hitsOf(place, site)).toMatchObject({
        partial_days: ['2026-03-01'],
        totals: { hits: 3 },
      });
    }
    await place.reports.rollup.run('2026-02-28');
    expect(await hitsOf(place, site)).toMatchObject({ totals: { hits: 3 } });
    // What was replaced is removed once no query can be reading it.
    now += 2 * HOUR;
    await place.reports.rollup.run();
    expect(await rowsOf(site)).toEqual([{ day: '2026-02-28', hits: 3 }]);
  });

  it('keeps what was counted of a day older than raw retention', async () => {
    const { place, site } = await open(20, name);
    const at = Date.UTC(2026, 1, 20, 12);
    await place.put(site, [{ at }, { at }]);
    await place.reports.rollup.run();
    now += 20 * DAY;
    // Retention has taken one of the two, and one came late.
    await store.warehouse.command({
      sql: 'ALTER TABLE hits DELETE WHERE attribution_id = {id:UUID}',
      params: { id: site.id },
      settings: { mutations_sync: 2 },
    });
    await place.put(site, [{ at }]);
    await place.reports.rollup.run();
    const forced = await place.reports.rollup.run('2026-02-20');
    expect(forced).toEqual({
      days: [],
      skipped: [{ day: '2026-02-20', reason: 'older_than_retention' }],
      ran: true,
    });
    expect(await hitsOf(place, site, 'from=2026-02-18&to=2026-02-22')).toMatchObject({
      partial_days: [],
      totals: { hits: 2 },
    });
  });
});

it('never counts a day again from fewer hits, even where retention was made longer afterwards', async () => {
  const { place, site } = await open();
  const at = Date.UTC(2026, 1, 20, 12);
  await place.put(site, [{ at }, { at }]);
  await place.reports.rollup.run();
  await store.warehouse.command({
    sql: 'ALTER TABLE hits DELETE WHERE attribution_id = {id:UUID}',
    params: { id: site.id },
    settings: { mutations_sync: 2 },
  });
  now += HOUR;
  await place.put(site, [{ at }]);
  await place.reports.rollup.run();
  await place.reports.rollup.run('2026-02-20');
  expect(await hitsOf(place, site, 'from=2026-02-18&to=2026-02-22')).toMatchObject({ totals: { hits: 2 } });
});

it('sees late hits of a day that was counted by name before the first night', async () => {
  const { place, site } = await open();
  await place.put(site, [{ at: Date.UTC(2026, 1, 26, 12) }]);
  await place.reports.rollup.run('2026-02-26');
  expect(await hitsOf(place, site)).toMatchObject({ rolled_up_at: null, totals: { hits: 1 } });
  await place.put(site, [{ at: Date.UTC(2026, 1, 26, 13) }]);
  expect(await hitsOf(place, site)).toMatchObject({ totals: { hits: 2 } });
});

it('finds hits that waited in a spool through an outage, whenever they had arrived there', async () => {
  const { place, site } = await open();
  const at = Date.UTC(2026, 1, 28, 12);
  await place.put(site, [{ at }]);
  await place.reports.rollup.run();
  now += 8 * HOUR;
  // Received before the run, stored after it.
  await place.put(site, [{ at, received_at: at + 1_000 }]);
  expect(await hitsOf(place, site)).toMatchObject({ totals: { hits: 2 } });
  now += DAY;
  expect((await place.reports.rollup.run()).days).toContainEqual({
    day: '2026-02-28',
    properties: 1,
    hits: 2,
  });
  expect(await hitsOf(place, site)).toMatchObject({ partial_days: [], totals: { hits: 2 } });
});

it('catches up after a downtime, and takes the days between', async () => {
  const { place, site } = await open();
  await place.put(site, [{ at: now - HOUR }]);
  await place.reports.rollup.run();
  await place.put(site, [{ at: now + HOUR }]);
  now += 4 * DAY;
  await place.put(site, [{ at: now - 2 * DAY }]);
  const { days } = await place.reports.rollup.run();
  expect(days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-03']);
  const answer = await hitsOf(place, site, 'from=2026-02-26&to=2026-03-05');
  expect(answer).toMatchObject({ partial_days: ['2026-03-05'], totals: { hits: 3 } });
});

it('leaves a run that a crash cut off unread, and removes it', async () => {
  const { place, site, database } = await open();
  const at = Date.UTC(2026, 1, 28, 12);
  await place.put(site, [{ at }]);
  await place.reports.rollup.run();
  // As far as a crash lets it come: known to be under way, rows written, not made known.
  const ledger = createLedger(database, () => now);
  const run = (await ledger.lastRun()) + 1;
  const day = Math.floor(at / DAY);
  await ledger.begin([{ organizationId: site.organizationId, attributionId: site.id, day, run }]);
  for (const table of TABLES)
    await store.warehouse.command({
      sql: `INSERT INTO ${table} SELECT * REPLACE({run:UInt64} AS run) FROM ${table} WHERE attribution_id = {id:UUID}`,
      params: { run, id: site.id },
    });
  expect(await rowsOf(site)).toEqual([{ day: '2026-02-28', hits: 2 }]);
  expect(await hitsOf(place, site)).toMatchObject({ totals: { hits: 1 } });
  now += 2 * HOUR;
  await place.reports.rollup.run();
  expect(await rowsOf(site)).toEqual([{ day: '2026-02-28', hits: 1 }]);
  expect(await hitsOf(place, site)).toMatchObject({ totals: { hits: 1 } });
});

describe('the day since which there is data', () => {
  const since = async (place: Place, site: Site, query = '') =>
    (await place.json<{ data_since: string | null }>(site, `bots?${query}`)).data_since;

  it('is that of the first hit of all, whatever days are asked for', async () => {
    const { place, site } = await open();
    expect(await since(place, site)).toBeNull();
    await place.put(place.site(), [{ at: Date.UTC(2025, 11, 24) }]);
    await place.put({ ...site, organizationId: randomUUID() }, [{ at: Date.UTC(2025, 11, 25) }]);
    await place.put(site, [{ at: Date.UTC(2026, 1, 27, 23, 59, 59, 999) }, { at: now }]);
    expect(await since(place, site)).toBe('2026-02-27');
    await place.reports.rollup.run();
    expect(await since(place, site)).toBe('2026-02-27');
    expect(await since(place, site, 'from=2026-01-01&to=2026-01-31')).toBe('2026-02-27');
    expect(await since(place, site, 'from=2026-03-01&bot=nobody')).toBe('2026-02-27');
    // Late, and not counted yet.
    now += 5 * HOUR;
    await place.put(site, [{ at: Date.UTC(2026, 1, 10) }]);
    expect(await since(place, site)).toBe('2026-02-10');
    await place.reports.rollup.run();
    expect(await since(place, site)).toBe('2026-02-10');
  });

  it('is known of a site that began today, when days of others were counted already', async () => {
    const { place, site } = await open();
    await place.put(site, [{ at: now - 30 * 60_000, received_at: now - 30 * 60_000 }]);
    now += HOUR;
    await place.reports.rollup.run();
    // Stored long before the run, so that it is no growth either.
    now += 5 * HOUR;
    expect(await since(place, site)).toBe('2026-03-01');
  });

  it('outlives raw hits, and ends with the rows that days were counted into', async () => {
    const { place, site } = await open(20);
    await place.put(site, [{ at: Date.UTC(2026, 1, 20) }]);
    await place.reports.rollup.run();
    await store.warehouse.command({ sql: 'TRUNCATE TABLE hits' });
    now += 500 * DAY;
    expect(await since(place, site)).toBe('2026-02-20');
    now += 600 * DAY;
    expect(await since(place, site)).toBeNull();
  });

  it('is not that of a day counted by name, while days before are not counted', async () => {
    const { place, site } = await open();
    await place.put(site, [{ at: Date.UTC(2026, 1, 20) }, { at: Date.UTC(2026, 1, 28) }]);
    now += HOUR;
    await place.reports.rollup.run('2026-02-28');
    expect(await place.json(site, 'bots?from=2026-02-25&to=2026-03-01')).toMatchObject({
      data_since: '2026-02-20',
    });
  });

  it('begins with the first day whose figures are kept, and refuses a period that lies before it', async () => {
    const { database, site } = await open();
    const plan = createPlanner({
      ...{ warehouse: store.warehouse, clock: () => now },
      retention: retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 }),
      ledger: createLedger(database, () => now),
    });
    const today = Math.floor(now / DAY);
    const owner = {
      ...{ ...site, timeZone: 'UTC', zoneSince: null, recountAskedAt: null },
      retention: { daily: 60, ai_visits: 30, referrals: 60, samples: 10 },
    };
    const made = await plan(owner, { from: today - 100, to: today, compareFrom: today - 201 });
    expect([made.from, made.figuresFrom]).toEqual([today - 60, today - 60]);
    expect(made.isComparable).toBe(false);
    expect(
      [['ai_bot'], ['ai_bot', 'sample'], ['ai_referral']].map((names) => made.keptFromOf(names as [])),
    ).toEqual([...[today - 30, today - 10, today - 60]]);
    expect(await plan(owner, { from: today - 60, to: today - 60, compareFrom: null })).toMatchObject({
      from: today - 60,
    });
    const before = plan(owner, { from: today - 100, to: today - 61, compareFrom: null });
    const message = `Figures of this property are kept from ${dateOf(today - 60)} on.`;
    await expect(before).rejects.toMatchObject({ code: 'invalid', errors: [{ pointer: '/to', message }] });
  });

  it('is asked of the warehouse as long as no day was counted, and no longer', async () => {
    const { place, database, site } = await open();
    let questions = 0;
    const warehouse: TestWarehouse['warehouse'] = {
      ...store.warehouse,
      rows: async (kind, statement, signal) => {
        questions += 1;
        return await store.warehouse.rows(kind, statement, signal);
      },
    };
    const plan = createPlanner({
      ...{ warehouse, clock: () => now },
      retention: retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 }),
      ledger: createLedger(database, () => now),
    });
    const asked = async () => {
      questions = 0;
      const { dataSince } = await plan(
        { ...site, timeZone: 'UTC', zoneSince: null, recountAskedAt: null },
        { from: 20_500, to: 20_512, compareFrom: null },
      );
      return { dataSince, questions };
    };
    await place.put(site, [{ at: Date.UTC(2026, 1, 28) }]);
    expect(await asked()).toEqual({ dataSince: '2026-02-28', questions: 1 });
    now += HOUR;
    await place.reports.rollup.run();
    // What has grown since the count is asked in any case.
    expect(await asked()).toEqual({ dataSince: '2026-02-28', questions: 1 });
  });
});

describe('what was counted night by night', () => {
  const parts = async () =>
    await store.warehouse.rows<{ table: string; partition: string; parts: number }>('report', {
      sql: `SELECT table, partition, toUInt32(count()) AS parts FROM system.parts
WHERE active AND database = currentDatabase() AND table IN {tables:Array(String)} GROUP BY table, partition`,
      params: { tables: TABLES },
    });
  const countThreeDays = async (place: Place, site: Site) => {
    for (const day of [10, 11, 12]) {
      await place.put(site, [{ at: Date.UTC(2026, 0, day) }]);
      await place.reports.rollup.run(`2026-01-${day}`);
    }
  };

  it('lies together after the nightly run, and says the same', async () => {
    const { place, site } = await open();
    await countThreeDays(place, site);
    const before = await rowsOf(site);
    await place.reports.rollup.run();
    expect(new Set((await parts()).map((one) => one.parts))).toEqual(new Set([1]));
    expect(await rowsOf(site)).toEqual(before);
  });

  it('is counted though it can not be merged', async () => {
    const { place, site, database } = await open();
    await countThreeDays(place, site);
    const warehouse = {
      ...store.warehouse,
      command: async (...[statement, lane]: Parameters<typeof store.warehouse.command>) => {
        if (statement.sql.startsWith('OPTIMIZE')) throw new Error('no space is left');
        await store.warehouse.command(statement, lane);
      },
    };
    const full = openPlace({ ...store, warehouse, database, clock: () => now });
    await full.put(site, [{ at: Date.UTC(2026, 0, 13) }]);
    expect(await full.reports.rollup.run()).toMatchObject({ ran: true, days: [{ day: '2026-01-13' }] });
  });
});

it('does nothing while another node counts', async () => {
  const { place, database } = await open();
  await database.withLock('reports:rollup', async () => {
    expect(await place.reports.rollup.run()).toEqual({ days: [], skipped: [], ran: false });
  });
});

it('is asked for by the root alone, and for days that are over', async () => {
  const { place, database } = await open();
  const post = async (body: unknown, at = place) => await at.send('POST', '/rollup', body);
  expect(await (await post({ date: '2026-03-01' })).json()).toMatchObject({
    skipped: [{ day: '2026-03-01', reason: 'open' }],
  });
  expect(await (await post({ date: '2026-01-05' })).json()).toMatchObject({
    skipped: [{ day: '2026-01-05', reason: 'no_hits' }],
  });
  for (const date of ['2026-02-30', 'yesterday', '']) expect((await post({ date })).status, date).toBe(422);
  const scope = { kind: 'organization', id: randomUUID() } as const;
  const theirs = openPlace({ ...store, database, clock: () => now, scope });
  expect((await post({}, theirs)).status).toBe(403);
});
