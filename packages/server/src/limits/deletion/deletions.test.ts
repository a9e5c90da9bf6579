import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope } from '../../common/index.ts';
import { type Database, entryOf, TABLE_NAMES } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { createProperties, type Properties, type Property } from '../../properties/index.ts';
import { OWNED_TABLES, WAREHOUSE_TABLES, WarehouseUnavailable } from '../../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../../warehouse/testing/warehouse.ts';
import { createDeletions, type Deletions } from '../index.ts';
import { fillState, fillWarehouse } from '../testing.ts';
import { createLateRows, LATE_MS } from './late-rows.ts';

const databases = await openTestDatabases();
let place: TestWarehouse;
beforeAll(async () => {
  place = await openTestWarehouse();
});
afterAll(async () => {
  await place.close();
  await databases.close();
});

const OURS = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } as const satisfies Scope;
const MONTHS = ['2026-05', '2026-06'];
const OWNED_STATE = TABLE_NAMES.filter(
  (name) => entryOf(name).property === 'attribution_id' && name !== 'deletions',
);

it('the register of the warehouse has every table, and knows which have rows of properties', async () => {
  const tables = await place.warehouse.rows<{ table: string; columns: string[] }>('report', {
    sql: `SELECT table, groupArray(name) AS columns FROM system.columns
WHERE database = currentDatabase() AND NOT startsWith(table, '.') GROUP BY table`,
  });
  const owned = (columns: readonly string[]) =>
    columns.includes('attribution_id') && columns.includes('organization_id');
  expect(Object.fromEntries(tables.map(({ table, columns }) => [table, owned(columns)]))).toEqual(
    Object.fromEntries(Object.entries(WAREHOUSE_TABLES).map(([name, entry]) => [name, entry.owned])),
  );
});

describe.each(databases.backends)('deletions on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let deletions: Deletions;
  let shop: Property;
  let other: Property;
  let isAway: boolean;
  let isFilled: boolean;
  let stopping: AbortController | null;

  beforeEach(async () => {
    now = Date.UTC(2026, 6, 1);
    isAway = false;
    isFilled = false;
    stopping = null;
    home = await backend.fresh({ clock });
    db = await home.node();
    const { warehouse } = place;
    deletions = createDeletions({
      database: db,
      warehouse: {
        ...warehouse,
        rows: (...args) => {
          if (isAway) throw new WarehouseUnavailable('The warehouse does not answer.');
          return warehouse.rows(...args);
        },
        command: async (...args) => {
          await warehouse.command(...args);
          stopping?.abort();
        },
      },
      clock,
      log: silentLog,
    });
    properties = createProperties(db, {
      clock,
      onDeleteAlone: (trx, { id, organizationId, name }, actor) =>
        deletions.record(trx, { organizationId, attributionId: id, name, actor }),
    });
    shop = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
    other = await properties.create(OURS, 'root', { name: 'Other', domain: 'other.example' });
  });
  afterEach(async () => {
    await home.remove();
    // What stays in a month is read again by every later mutation of that month.
    if (isFilled)
      for (const table of OWNED_TABLES) await place.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
  });

  const rowsOf = async ({ id }: Pick<Property, 'id'>): Promise<Record<string, number>> => {
    const state = await sql<{ name: string; n: number }>`${sql.join(
      OWNED_STATE.map(
        (table) =>
          sql`select ${sql.lit(table)} as name, count(*) as n from ${sql.table(table)} where attribution_id = ${id}`,
      ),
      sql` union all `,
    )}`.execute(db.reader);
    const facts = await place.warehouse.rows<{ name: string; n: string }>('report', {
      sql: OWNED_TABLES.map(
        (table) => `SELECT '${table}' AS name, count() AS n FROM ${table} WHERE attribution_id = {id:UUID}`,
      ).join(' UNION ALL '),
      params: { id },
    });
    return Object.fromEntries([...state.rows, ...facts].map(({ name, n }) => [name, Number(n)]));
  };
  const fill = async (property: Property): Promise<string> => {
    isFilled = true;
    await fillWarehouse(place.warehouse, property, MONTHS);
    return await fillState(db, property);
  };
  const every = (state: number, warehouse: number) => ({
    ...Object.fromEntries(OWNED_STATE.map((name) => [name, state])),
    ...Object.fromEntries(OWNED_TABLES.map((name) => [name, warehouse])),
  });

  it('empty every table of both stores, say what was there, and leave another property alone', async () => {
    await fill(shop);
    await fill(other);
    expect(await rowsOf(shop)).toEqual(every(1, 2));
    await properties.delete(OURS, 'person:7', shop.id);
    expect(await deletions.list(OURS)).toMatchObject([
      { attributionId: shop.id, name: 'Shop', askedBy: 'person:7', state: 'waiting', found: {} },
    ]);
    await deletions.run();
    expect(await rowsOf(shop)).toEqual(every(0, 0));
    // Nodes may still know the keys: it is counted once more when they can't.
    expect(await deletions.list(OURS)).toMatchObject([
      { state: 'deleting', found: every(1, 2), rest: every(0, 0) },
    ]);

    // What an insert that was under way has stored meanwhile.
    await fillWarehouse(place.warehouse, shop, ['2026-06']);
    now += 3 * MINUTE_MS;
    await deletions.run();
    const late = Object.fromEntries(OWNED_TABLES.map((name) => [name, 3]));
    expect(await deletions.list(OURS)).toMatchObject([
      { state: 'done', found: { ...every(1, 2), ...late }, rest: every(0, 0), finishedAt: now, error: null },
    ]);
    expect(await rowsOf(shop)).toEqual(every(0, 0));
    expect(await rowsOf(other)).toEqual(every(1, 2));
    // The mark stays, so that the id is never given out again, and says nothing.
    const mark = await db.reader
      .selectFrom('properties')
      .selectAll()
      .where('id', '=', shop.id)
      .executeTakeFirst();
    expect(mark).toMatchObject({ name: '', domain: '', deleted_at: expect.any(Number) });
    const log = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', shop.id)
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      'property.created',
      'property.deleted',
      'property.emptied',
    ]);
  });

  it('find rows that come back later, and delete them again', async () => {
    await properties.delete(OURS, 'root', shop.id);
    now += 3 * MINUTE_MS;
    await deletions.run();
    expect(await deletions.list(OURS)).toMatchObject([{ state: 'done' }]);
    await fillWarehouse(place.warehouse, shop, ['2026-06']);
    await deletions.run();
    expect(await rowsOf(shop)).toMatchObject({ hits: 1 });
    now += DAY_MS;
    await deletions.run();
    expect(await rowsOf(shop)).toEqual(every(0, 0));
    expect(await deletions.list(OURS)).toMatchObject([
      { state: 'done', found: { hits: 1 }, finishedAt: now },
    ]);
  });

  it('go on where they were when the warehouse is back, and count nothing twice', async () => {
    await fill(shop);
    await properties.delete(OURS, 'root', shop.id);
    isAway = true;
    await deletions.run();
    expect(await deletions.list(OURS)).toMatchObject([
      { state: 'waiting', error: 'The warehouse does not answer.' },
    ]);
    isAway = false;
    // The service is stopped after the first month of the first table.
    stopping = new AbortController();
    await deletions.run(stopping.signal);
    stopping = null;
    expect(await rowsOf(shop)).toEqual({ ...every(1, 2), hits: 1 });
    now += 2 * 60 * MINUTE_MS;
    expect(await deletions.overdue()).toBe(1);
    await deletions.run();
    expect(await deletions.list(OURS)).toMatchObject([
      { state: 'done', found: every(1, 2), rest: every(0, 0), error: null },
    ]);
    expect(await deletions.overdue()).toBe(0);
  });

  it('of an organization take its properties along, and nothing of another one', async () => {
    const theirs = randomUUID();
    await db.kysely
      .insertInto('organizations')
      .values({ id: theirs, name: 'Agency', created_at: 0 })
      .execute();
    const scope: Scope = { kind: 'organization', id: theirs };
    const site = await properties.create(scope, 'root', { name: 'Site', domain: 'site.example' });
    await fill(site);
    await fill(other);
    await db.kysely.transaction().execute(async (trx) => {
      await trx.updateTable('organizations').set({ deleted_at: now }).where('id', '=', theirs).execute();
      await properties.closeAll(trx, theirs, 'root');
      await deletions.record(trx, {
        ...{ organizationId: theirs, attributionId: null, name: 'Agency', actor: 'root' },
        found: { people: 2 },
      });
    });
    now += 3 * MINUTE_MS;
    await deletions.run();
    const [record] = await deletions.list({ kind: 'all' });
    expect(record).toMatchObject({
      state: 'done',
      name: 'Agency',
      found: { hits: 2, members: 1, people: 2 },
    });
    for (const table of TABLE_NAMES) {
      const { organization, stays } = entryOf(table);
      if (organization === null || stays !== undefined) continue;
      const { rows } = await sql`select 1 from ${sql.table(table)} where organization_id = ${theirs}`.execute(
        db.reader,
      );
      expect({ table, rows }).toEqual({ table, rows: [] });
    }
    expect(await rowsOf(site)).toEqual(every(0, 0));
    expect(await rowsOf(other)).toEqual(every(1, 2));
    expect(await deletions.list(OURS)).toEqual([]);
    await expect(
      properties.create(scope, 'root', { name: 'New', domain: 'new.example' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('begin with those that were never counted, however many others fail each time', async () => {
    const deletion = (id: number, counted: number | null) => ({
      ...{ id: `del_${id}`, organization_id: OURS.id, attribution_id: shop.id, name: `${id}` },
      ...{ asked_by: 'root', asked_at: now + id, state: 'deleting' as const, found: '{}', rest: '{}' },
      ...{ counted_at: counted, finished_at: null, error: null },
    });
    const stuck = Array.from({ length: 20 }, (_, id) => deletion(id, now - MINUTE_MS));
    await db.kysely
      .insertInto('deletions')
      .values([...stuck, deletion(99, null)])
      .execute();
    isAway = true;
    await deletions.run();
    expect((await deletions.list(OURS)).find(({ id }) => id === 'del_99')?.countedAt).toBe(now);
  });

  it('let all shippers wait for one reading of what was deleted, and ask again after one that failed', async () => {
    await properties.delete(OURS, 'root', shop.id);
    let readings = 0;
    let isBroken = true;
    const lateRows = createLateRows({
      ...{ clock, log: silentLog },
      database: {
        get reader() {
          readings += 1;
          if (isBroken) throw new Error('The database does not answer.');
          return db.reader;
        },
      },
    });
    const body = Buffer.from(`${JSON.stringify({ attribution_id: shop.id })}\n`);
    expect(await Promise.all([lateRows({ body }), lateRows({ body })])).toEqual([[], []]);
    expect(readings).toBe(1);
    isBroken = false;
    expect(await Promise.all([lateRows({ body }), lateRows({ body })])).toEqual([[0], [0]]);
    expect(await lateRows({ body })).toEqual([0]);
    expect(readings).toBe(2);
  });

  it('have rows left out that still wait in a spool, and no others', async () => {
    const lateRows = createLateRows({ database: db, clock, log: silentLog });
    const line = (property: Property, more = {}) => JSON.stringify({ attribution_id: property.id, ...more });
    const nested = JSON.stringify({ attribution_id: other.id, query_params: { attribution_id: shop.id } });
    const body = Buffer.from(`${[line(shop), line(other), nested, line(shop, { path: '/ü' })].join('\n')}\n`);
    expect(await lateRows({ body })).toEqual([]);
    await properties.delete(OURS, 'root', shop.id);
    now += 10_000;
    expect(await lateRows({ body })).toEqual([0, 3]);
    now += LATE_MS + 1;
    expect(await lateRows({ body })).toEqual([]);
  });
});
