/** Embedded stores to PostgreSQL and a stand-in for a ClickHouse server, and back. With whole services and a killed process: tests/e2e/move.test.ts. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '@ghostlight/core/time';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StandIn, startStandIn } from '../../../tests/harness/clickhouse.ts';
import { readConfig } from './config.ts';
import { takeDataDir } from './data-dir.ts';
import { figuresOf, MOVED_TABLES, movedTables, openDatabase } from './database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase, type TestDatabases } from './database/testing.ts';
import { type MoveReport, type MoveTarget, move } from './move.ts';
import { createProgress, moveWarehouse } from './moving/index.ts';
import { fillWithOddRows } from './moving/testing/odd-rows.ts';
import { createService } from './service.ts';
import { openSpool } from './spool/index.ts';
import {
  DAILY_TABLE_NAMES,
  eventSink,
  hitSink,
  openWarehouse,
  type StoredEvent,
  toEventRow,
  type Warehouse,
} from './warehouse/index.ts';
import {
  makeBatch,
  makeHit,
  newScope,
  offerWarehouse,
  SERVICE_RETENTION_DAYS,
} from './warehouse/testing/warehouse.ts';

const root = mkdtempSync(join(tmpdir(), 'ghostlight-move-'));
const home = join(root, 'home');
const settings = { DATA_DIR: home, LOG_LEVEL: 'silent', PORT: '0', LISTS_REFRESH: 'off' };
const config = (more: Readonly<Record<string, string>> = {}) => readConfig({ ...settings, ...more });
const NOWHERE: MoveTarget = { databaseUrl: null, warehouseUrl: null, cluster: null, dataDir: null };
const HITS = 600;
/** The first moment of the newest day that has hits. */
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const DAY = new Date(TODAY).toISOString().slice(0, 10);
const WAITING = 3;

let databases: TestDatabases;
let server: StandIn;
/** The stand-in's, past the move. */
let there: Warehouse;
const places: TestDatabase[] = [];
let lines: string[] = [];

const run = (
  to: Partial<MoveTarget>,
  {
    from = config(),
    stopAt,
    clock = Date.now,
  }: { from?: ReturnType<typeof config>; stopAt?: string; clock?: () => number } = {},
): Promise<MoveReport> => {
  const stop = new AbortController();
  lines = [];
  return move(
    from,
    { ...NOWHERE, ...to },
    {
      ...{ clock, signal: stop.signal },
      print: (line) => {
        lines.push(line);
        if (stopAt !== undefined && line.startsWith(stopAt)) stop.abort();
      },
    },
  );
};

const openHome = (dataDir: string): Promise<Warehouse> =>
  openWarehouse({
    ...{ url: null, dataDir, retentionDays: SERVICE_RETENTION_DAYS },
    ...{ clock: Date.now, log: silentLog },
  });

/** A new, empty PostgreSQL database. */
async function postgres(): Promise<string> {
  const place = await databases.backends[1]?.fresh({ empty: true });
  if (place?.url == null) throw new Error('there is no PostgreSQL');
  places.push(place);
  return place.url;
}

const emptied = async (): Promise<void> => {
  for (const table of ['hits', 'events', ...DAILY_TABLE_NAMES, 'sitemap_pages'])
    await there.command({ sql: `TRUNCATE TABLE ${table}` });
};

/** Every table of a state database, by count and digest. */
async function figures(url: string | null, dataDir: string) {
  const database = await openDatabase({ url, dataDir, log: silentLog, migrates: false });
  const found = [];
  for (const table of await movedTables(database)) found.push([table.name, await figuresOf(database, table)]);
  await database.close();
  return Object.fromEntries(found);
}

const rowsAt = async (warehouse: Warehouse, table: string) =>
  await warehouse.rows('report', { sql: `SELECT * FROM ${table} ORDER BY ALL LIMIT 5000` });

beforeAll(async () => {
  [databases, server] = await Promise.all([openTestDatabases(), startStandIn()]);
  await server.open();
  mkdirSync(home);
  offerWarehouse(home, SERVICE_RETENTION_DAYS);
  await (await createService(config(), { listen: false })).stop();
  const random = fc.sample(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { numRuns: 20_000, seed: 19 });
  let at = 0;
  fillWithOddRows(
    join(home, 'state.sqlite'),
    MOVED_TABLES.filter((table) => table !== 'installation'),
    12,
    () => {
      at = (at + 1) % random.length;
      return random[at] ?? 0;
    },
  );

  const warehouse = await openHome(home);
  const scope = newScope();
  const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: HITS, seed: 7 });
  for (const daysAgo of [2, 1, 0])
    await hitSink(warehouse).insert(
      makeBatch(
        texts.slice(daysAgo * 200, (daysAgo + 1) * 200).map((path, n) =>
          makeHit(scope, {
            ...{ at: TODAY - daysAgo * DAY_MS + n, received_at: TODAY, path, referrer: path },
            ...{
              verified: [null, true, false][n % 3] ?? null,
              query_params: n % 2 === 0 ? {} : { [path]: '💥' },
            },
            ...{ bytes: n === 0 ? 2 ** 52 : n, sample_rate: n / 7, weight: 1 / 3 },
          }),
        ),
      ),
    );
  const event = {
    ...{
      id: scope.organizationId,
      organization_id: scope.organizationId,
      attribution_id: scope.attributionIds[0],
    },
    ...{ at: TODAY, received_at: TODAY, event_name: 'page_view', visitor_id: 'visitor', title: 'a\0b' },
  } as StoredEvent;
  await eventSink(warehouse, async () => []).insert(
    makeBatch([], { rows: 1, body: Buffer.from(`${toEventRow(event)}\n`) }),
  );
  for (const [table, columns, values] of [
    ...DAILY_TABLE_NAMES.map((name) =>
      name.endsWith('_lists')
        ? ([name, 'day, class, pages, weights', 'toDate(at), class, [cityHash64(id)], [weight]'] as const)
        : ([name, 'day, class, weight', 'toDate(at), class, weight'] as const),
    ),
    ['sitemap_pages', 'version, path', '7, path'] as const,
  ])
    await warehouse.command({
      sql: `INSERT INTO ${table} (organization_id, attribution_id, ${columns}) SELECT organization_id, attribution_id, ${values} FROM hits`,
    });
  await warehouse.close();

  const spool = await openSpool({
    ...{ directory: join(home, 'spool'), name: 'hits', maxBytes: 1e9, clock: Date.now, log: silentLog },
  });
  const rows = Array.from({ length: WAITING }, (_, n) => ({
    ...{ line: `{"n":${n}}`, month: '202611', dedupKey: `key ${n}`, label: 'ai_bot' },
  }));
  await spool.append({
    ...{ endpoint: 'edge_worker', received: WAITING, rows, dropped: {}, rejected: {}, quarantine: [] },
  });
  await spool.close();

  there = await openWarehouse({
    ...{ url: server.url, dataDir: '', retentionDays: SERVICE_RETENTION_DAYS },
    ...{ clock: Date.now, log: silentLog },
  });
  await there.migrate();
});
afterAll(async () => {
  await there.close();
  for (const place of places) await place.remove();
  await databases.close();
  await server.dispose();
  rmSync(root, { recursive: true, force: true });
});

describe('a move', () => {
  it('copies every value of every table to servers and back', async () => {
    const before = await figures(null, home);
    const databaseUrl = await postgres();
    const report = await run({ databaseUrl, warehouseUrl: server.url });
    expect(report.differences).toEqual([]);
    expect(report.tables.find(({ table }) => table === 'hits')).toEqual({
      ...{ store: 'warehouse', table: 'hits', days: 3, rows: HITS },
    });
    expect(JSON.stringify(report)).not.toContain(new URL(server.url).password);
    expect(report.settings).toMatchObject({
      DATA_DIR: home,
      DATABASE_URL: expect.stringContaining('postgres:***@'),
    });
    expect(await figures(databaseUrl, '')).toEqual(before);

    const servers = config({
      ...{ DATABASE_URL: databaseUrl, CLICKHOUSE_URL: server.url },
      ...{ SECRET_KEY: 'k'.repeat(40), ADMIN_TOKEN: 'a'.repeat(20) },
    });
    const back = join(root, 'back');
    expect((await run({ dataDir: back }, { from: servers })).differences).toEqual([]);
    expect(await figures(null, back)).toEqual(before);
    const [one, two] = [await openHome(home), await openHome(back)];
    for (const { table } of report.tables.filter(({ store }) => store === 'warehouse'))
      expect(await rowsAt(two, table), table).toEqual(await rowsAt(one, table));
    await one.close();
    await two.close();
    // What was acknowledged and not yet shipped went along, and is in the source still.
    for (const place of [home, back]) {
      const spool = await openSpool({
        ...{ directory: join(place, 'spool'), name: 'hits', maxBytes: 1e9, clock: Date.now, log: silentLog },
      });
      expect(spool.stats().pendingRows).toBe(WAITING);
      await spool.close();
    }
    await emptied();
  });

  it('that was stopped goes on, and no service starts on its target before', async () => {
    const databaseUrl = await postgres();
    const to = { databaseUrl, warehouseUrl: server.url };
    const servers = config({
      ...{ DATABASE_URL: databaseUrl, CLICKHOUSE_URL: server.url, DATA_DIR: join(root, 'other') },
      ...{ SECRET_KEY: 'k'.repeat(40), ADMIN_TOKEN: 'a'.repeat(20) },
    });
    await expect(run(to, { stopAt: 'Copying the state database' })).rejects.toThrow(/aborted/);
    await expect(createService(servers, { listen: false })).rejects.toThrow(
      /The state database is the target of a move that has not ended/,
    );
    await expect(run(to, { stopAt: 'Copying the warehouse' })).rejects.toThrow(/aborted/);
    // A part of a day, as a kill between two inserts leaves it.
    await there.command({
      sql: `INSERT INTO hits (id, organization_id, attribution_id, batch, at, received_at) SELECT generateUUIDv4(), generateUUIDv4(), generateUUIDv4(), generateUUIDv4(), fromUnixTimestamp64Milli(${TODAY}), now64(3)`,
    });
    await expect(run(to, { stopAt: 'Comparing the warehouse' })).rejects.toThrow(/aborted/);
    const report = await run(to);
    expect(report.differences).toEqual([]);
    expect(lines).toContainEqual('The warehouse goes on where an earlier run has ended.');
    expect(report.copied.rows).toBe(0);
    await emptied();
  });

  it('finds a value that differs, and copies it again', async () => {
    const databaseUrl = await postgres();
    const to = { databaseUrl, warehouseUrl: server.url };
    await expect(run(to, { stopAt: 'Comparing the warehouse' })).rejects.toThrow(/aborted/);
    await there.command({
      sql: `ALTER TABLE hits UPDATE bytes = bytes + 1 WHERE bytes = 5 AND toDate(at) = '${DAY}'`,
      settings: { mutations_sync: 2 },
    });
    const source = await openHome(home);
    const signal = new AbortController().signal;
    const found = await moveWarehouse(source, there, {
      ...{ from: 'f', resumes: false, retentionDays: SERVICE_RETENTION_DAYS, signal },
      progress: createProgress(() => undefined),
    });
    await source.close();
    expect(found.differences).toEqual([
      {
        store: 'warehouse',
        table: 'hits',
        day: DAY,
        rows: 200,
        found: 200,
      },
    ]);
    const changed = await openDatabase({ url: databaseUrl, dataDir: '', log: silentLog });
    await changed.kysely.updateTable('organizations').set({ name: 'Changed' }).execute();
    await changed.close();
    expect((await run(to)).differences).toEqual([]);
    expect(lines).toContainEqual('The copy of the state database differs; it is made again.');
    expect(lines).toContainEqual('1 day of the warehouse differs; it is copied again.');
    await emptied();
  });
});

describe('refuses', () => {
  it('a source that a service uses, or that none ever did', async () => {
    const held = takeDataDir(home);
    await expect(run({ warehouseUrl: server.url })).rejects.toThrow(/is in use by the Ghostlight process/);
    held.release();
    const none = config({ DATA_DIR: join(root, 'none') });
    await expect(run({ warehouseUrl: server.url }, { from: none })).rejects.toThrow(/holds no installation/);
    expect(existsSync(join(root, 'none'))).toBe(false);
  });

  it('a source on servers while a node was heard of a moment ago', async () => {
    const now = Date.now();
    const url = await postgres();
    const node = await openDatabase({ url, dataDir: '', log: silentLog });
    await node.kysely
      .insertInto('installation')
      .values([
        { key: 'canary', value: 'x' },
        { key: 'node-keys:one', value: JSON.stringify({ at: now - 30_000 }) },
      ])
      .execute();
    await node.close();
    const from = config({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(40), ADMIN_TOKEN: 'a'.repeat(20) });
    await expect(run({ dataDir: join(root, 'third') }, { from, clock: () => now })).rejects.toThrow(
      /A node used the source 30 seconds ago\. Run "ghostlight spool drain" on every node/,
    );
  });

  it('a source of another version', async () => {
    const older = join(root, 'older');
    mkdirSync(older);
    const state = await openDatabase({ url: null, dataDir: older, log: silentLog });
    await state.close();
    const file = new DatabaseSync(join(older, 'state.sqlite'));
    file.exec('delete from kysely_migration where name = (select max(name) from kysely_migration)');
    file.close();
    const from = config({ DATA_DIR: older });
    await expect(run({ databaseUrl: await postgres() }, { from })).rejects.toThrow(
      /of an older version\. Start this version/,
    );
  });

  it('a target that holds something, is the source, or is another installation’s', async () => {
    const url = await postgres();
    const other = await openDatabase({ url, dataDir: '', log: silentLog });
    const organization = { id: 'o', name: 'Theirs', created_at: 1 };
    await other.kysely.insertInto('organizations').values(organization).execute();
    await expect(run({ databaseUrl: url })).rejects.toThrow(
      /The target database is not empty: organizations has 2 rows/,
    );
    await other.kysely
      .insertInto('installation')
      .values({ key: 'unfinished-move', value: JSON.stringify({ from: 'another' }) })
      .execute();
    await other.close();
    await expect(run({ databaseUrl: url })).rejects.toThrow(/target of another installation’s move/);
    const from = config({ CLICKHOUSE_URL: server.url });
    await expect(run({ warehouseUrl: server.url }, { from })).rejects.toThrow(
      /--to-warehouse is the address of the source/,
    );
    await expect(run({ dataDir: home })).rejects.toThrow(/nothing to move/);
    const used = join(root, 'used');
    mkdirSync(join(used, 'spool'), { recursive: true });
    await expect(run({ dataDir: used })).rejects.toThrow(/used\/spool may hold acknowledged hits/);
  });
});
