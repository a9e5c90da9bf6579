import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { HIT_CLASSES } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope } from '../../common/index.ts';
import { type Database, entryOf, TABLE_NAMES } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { createProperties, type Property } from '../../properties/index.ts';
import { OWNED_TABLES, WarehouseUnavailable } from '../../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../../warehouse/testing/warehouse.ts';
import { createTakeouts, type Takeouts } from '../index.ts';
import { fillState, fillWarehouse } from '../testing.ts';
import { COLUMNS, isHashed, LEFT_OUT, STATE_FILES, WAREHOUSE_FILES } from './files.ts';
import { partsOf } from './rows.ts';

const databases = await openTestDatabases();
let place: TestWarehouse;
beforeAll(async () => {
  place = await openTestWarehouse();
});
afterAll(async () => {
  await place.close();
  await databases.close();
});

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const FILES = [...STATE_FILES, ...WAREHOUSE_FILES];

/** The entries of a tar archive. */
function entriesOf(archive: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('utf8', at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString('utf8', at + 124, at + 135), 8);
    entries.set(name, archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

it('every table with rows of an organization is in a takeout, or is left out with a reason', () => {
  const owned = [...TABLE_NAMES.filter((name) => entryOf(name).organization !== null), ...OWNED_TABLES];
  expect([...FILES.map(({ table }) => table as string), ...Object.keys(LEFT_OUT)].toSorted()).toEqual(
    owned.toSorted(),
  );
});

it('the README explains every column of every file, and nothing else', () => {
  const used = FILES.flatMap(({ table, columns }) =>
    columns.map((name) => (`${table}.${name}` in COLUMNS ? `${table}.${name}` : name)),
  );
  expect(used.filter((name) => !(name in COLUMNS))).toEqual([]);
  expect(Object.keys(COLUMNS).filter((name) => !used.includes(name))).toEqual([]);
  for (const name of HIT_CLASSES) expect(COLUMNS['class']).toContain(name);
});

describe.each(databases.backends)('takeouts on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let directory: string;
  let takeouts: Takeouts;
  let shop: Property;
  let isAway: boolean;
  let others: Takeouts[];
  const open = (node = 'node-1'): Takeouts => {
    const made = createTakeouts({
      database: db,
      warehouse: {
        rows: (...args) => {
          if (isAway) throw new WarehouseUnavailable('The warehouse does not answer.');
          return place.warehouse.rows(...args);
        },
      },
      ...{ directory, node, clock, log: silentLog },
    });
    others.push(made);
    return made;
  };
  beforeEach(async () => {
    now = Date.UTC(2026, 6, 1);
    isAway = false;
    others = [];
    home = await backend.fresh({ clock });
    db = await home.node();
    directory = join(mkdtempSync(join(tmpdir(), 'ghostlight-takeouts-')), 'takeouts');
    takeouts = open();
    const properties = createProperties(db, { clock });
    shop = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
  });
  afterEach(async () => {
    for (const each of others) await each.close();
    rmSync(join(directory, '..'), { recursive: true, force: true });
    await home.remove();
  });
  const read = async (id: string): Promise<Map<string, Buffer>> => {
    const { token } = await takeouts.link(OURS, 'root', id);
    return entriesOf(await buffer((await takeouts.open(OURS, id, token)).body));
  };

  /** One person in every place that names one. */
  const fillPerson = async () => {
    const [visitor, session, user] = [randomUUID(), randomUUID(), randomUUID()];
    for (const table of ['visitors', 'sessions', 'touches', 'conversions', 'deliveries'] as const)
      await db.kysely.updateTable(table).set({ visitor_id: visitor }).execute();
    await db.kysely.updateTable('sessions').set({ id: session }).execute();
    await db.kysely.updateTable('touches').set({ session_id: session }).execute();
    const both = { visitor_id: visitor, session_id: session };
    await db.kysely.updateTable('browser_conversions').set(both).execute();
    await place.warehouse.command({
      sql: `INSERT INTO events (organization_id, attribution_id, at, visitor_id, session_id, user_id)
SELECT {organization:UUID}, {property:UUID}, toDate('2026-04-03'), {visitor:String}, {session:String}, {user:String}`,
      params: { organization: DEFAULT_ORGANIZATION_ID, property: shop.id, visitor, session, user },
    });
    return { visitor, session, user };
  };

  /** What the rows of the organization hold and no takeout may, by `table.column`: secrets, addresses, clicks, people. */
  const valuesInside = async (): Promise<Map<string, string>> => {
    const inside = new Map<string, string>();
    const open = new Set<unknown>();
    const found = await db.kysely.introspection.getTables();
    for (const table of TABLE_NAMES.filter((name) => entryOf(name).organization !== null)) {
      const columns = found.find(({ name }) => name === table)?.columns ?? [];
      const leaves = STATE_FILES.find((file) => file.table === table)?.columns ?? [];
      const texts = columns.filter(({ dataType }) => /text|char/i.test(dataType));
      const empty = texts.filter(({ name, isNullable }) => isNullable && !leaves.includes(name));
      if (!['organizations', 'properties', 'deletions'].includes(table))
        for (const { name } of empty)
          await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${randomUUID()} where ${sql.ref(name)} is null`.execute(
            db.kysely,
          );
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
        db.reader,
      );
      for (const row of rows)
        for (const { name } of texts)
          if (leaves.includes(name) && !isHashed(table, name)) open.add(row[name]);
          else if (String(row[name]).length >= 32) inside.set(`${table}.${name}`, String(row[name]));
    }
    return new Map([...inside].filter(([, value]) => !open.has(value) && value !== DEFAULT_ORGANIZATION_ID));
  };

  it('contain a row of every table, without another organization’s, without secrets, and with hashes of people', async () => {
    await fillState(db, shop);
    await fillWarehouse(place.warehouse, shop, ['2026-05', '2026-06']);
    await db.kysely
      .insertInto('deletions')
      .values({
        ...{
          id: 'del_1',
          organization_id: DEFAULT_ORGANIZATION_ID,
          attribution_id: null,
          name: 'Old',
          asked_by: 'root',
        },
        ...{
          asked_at: 0,
          state: 'done',
          found: '{}',
          rest: '{}',
          counted_at: 0,
          finished_at: 0,
          error: null,
        },
      })
      .execute();
    const theirs = randomUUID();
    await db.kysely
      .insertInto('organizations')
      .values({ id: theirs, name: 'Theirs', created_at: 0 })
      .execute();
    const person = await fillPerson();
    const inside = await valuesInside();
    const { id } = await takeouts.ask(OURS, 'person:7');
    await takeouts.run();
    const entries = await read(id);
    const rows = new Map<string, Record<string, unknown>[]>();
    for (const { table } of FILES) {
      const content = entries.get(`${table}/00001.ndjson.gz`);
      expect(content, table).toBeDefined();
      const lines = gunzipSync(content ?? '')
        .toString('utf8')
        .trimEnd()
        .split('\n');
      rows.set(
        table,
        lines.map((line) => JSON.parse(line) as Record<string, unknown>),
      );
    }
    for (const { table, columns } of FILES)
      expect(Object.keys(rows.get(table)?.[0] ?? {}), table).toEqual([...columns]);
    expect(rows.get('hits')).toHaveLength(2);
    expect(rows.get('organizations')).toMatchObject([{ id: DEFAULT_ORGANIZATION_ID }]);
    // The same person in each file, and nowhere by name.
    const people = FILES.flatMap(({ table, columns }) =>
      columns
        .filter((name) => isHashed(table, name))
        .flatMap((name) => rows.get(table)?.map((row) => [`${table}.${name}`, row[name]]) ?? []),
    ).filter(([, value]) => value !== '' && value !== null);
    expect(people.filter(([, value]) => !/^[0-9a-f]{64}$/.test(String(value)))).toEqual([]);
    const hashOf = (place: string) => people.find(([name]) => name === place)?.[1];
    for (const table of ['visitors', 'sessions', 'touches', 'conversions', 'deliveries', 'events'])
      expect(hashOf(`${table}.visitor_id`), table).toBe(hashOf('browser_conversions.visitor_id'));
    for (const place of ['sessions.id', 'touches.session_id', 'events.session_id'])
      expect(hashOf(place), place).toBe(hashOf('browser_conversions.session_id'));
    const all = [...entries]
      .map(([name, content]) => (name.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8'))
      .join();
    for (const name of Object.values(person)) expect(all).not.toContain(name);
    expect(all).not.toContain(theirs);
    expect(inside.size).toBeGreaterThan(100);
    expect([...inside].filter(([, value]) => all.includes(value)).map(([place]) => place)).toEqual([]);
    const text = entries.get('README.md')?.toString('utf8') ?? '';
    expect(text).toContain('## hits (2 rows)');
    expect(text).toContain('- verdict_reason: why the verdict is what it is');
    expect(await takeouts.get(OURS, id)).toMatchObject({ state: 'ready', asked_by: 'person:7', error: null });
    expect(await takeouts.list({ kind: 'organization', id: theirs })).toEqual([]);
    await expect(takeouts.get({ kind: 'organization', id: theirs }, id)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('have a row once that is changed while it is read, and miss none', async () => {
    const owner = { attribution_id: shop.id, organization_id: DEFAULT_ORGANIZATION_ID };
    const visitors = Array.from({ length: 1_200 }, (_, n) => ({
      ...{ ...owner, visitor_id: `visitor-${n}`, first_seen: n, last_seen: 0 },
    }));
    await db.kysely.insertInto('visitors').values(visitors).execute();
    let pages = 0;
    const reader = db.reader.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Each page is followed by a change of all rows.
        if (result.rows.some((row) => 'first_seen' in row)) {
          pages += 1;
          await db.kysely
            .updateTable('visitors')
            .set(({ eb }) => ({ last_seen: eb('last_seen', '+', 1) }))
            .execute();
        }
        return result;
      },
    });
    const parts = partsOf(
      { reader, adapter: db.adapter },
      ...([place.warehouse, DEFAULT_ORGANIZATION_ID, new AbortController().signal] as const),
    );
    const seen: unknown[] = [];
    for await (const { table, text } of parts)
      if (table === 'visitors')
        seen.push(
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => (JSON.parse(line) as { first_seen: number }).first_seen),
        );
    expect(pages).toBeGreaterThan(1);
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      visitors.map(({ first_seen }) => first_seen),
    );
  });

  it('are opened by the newest link alone, for a quarter of an hour, on the node that has the file', async () => {
    const { id } = await takeouts.ask(OURS, 'root');
    await expect(takeouts.link(OURS, 'root', id)).rejects.toMatchObject({ code: 'conflict' });
    await takeouts.run();
    const first = await takeouts.link(OURS, 'root', id);
    const second = await takeouts.link(OURS, 'root', id);
    await expect(takeouts.open(OURS, id, first.token)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(open('node-2').open(OURS, id, second.token)).rejects.toMatchObject({ code: 'unavailable' });
    await (await takeouts.open(OURS, id, second.token)).body.cancel();
    now += 15 * 60_000;
    await expect(takeouts.open(OURS, id, second.token)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are deleted after seven days, when asked, and when a property of the organization is deleted', async () => {
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      ids.push((await takeouts.ask(OURS, 'root')).id);
      await takeouts.run();
    }
    await expect(takeouts.ask(OURS, 'root')).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(directory).toSorted()).toEqual(ids.map((id) => `${id}.tar`).toSorted());
    await takeouts.delete(OURS, 'root', ids[0] ?? '');
    expect(existsSync(join(directory, `${ids[0]}.tar`))).toBe(false);
    now += 7 * DAY_MS;
    await takeouts.run();
    expect(await takeouts.list(OURS)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    await takeouts.ask(OURS, 'root');
    await takeouts.run();
    await db.kysely.transaction().execute((trx) => takeouts.forget(trx, DEFAULT_ORGANIZATION_ID));
    await takeouts.run();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('say that they failed, and are begun again by the next start of their node', async () => {
    isAway = true;
    await fillState(db, shop);
    const { id } = await takeouts.ask(OURS, 'root');
    await takeouts.run();
    expect(await takeouts.get(OURS, id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('log'),
    });
    expect(readdirSync(directory)).toEqual([]);
    isAway = false;
    const again = await takeouts.ask(OURS, 'root');
    // As a kill leaves it behind.
    await takeouts.close();
    await db.kysely
      .updateTable('takeouts')
      .set({ state: 'making', rows: 5 })
      .where('id', '=', again.id)
      .execute();
    await open('node-2').run();
    expect(await takeouts.get(OURS, again.id)).toMatchObject({ state: 'making' });
    takeouts = open();
    await takeouts.run();
    expect(await takeouts.get(OURS, again.id)).toMatchObject({ state: 'ready' });
  });
});
