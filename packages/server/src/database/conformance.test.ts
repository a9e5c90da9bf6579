/** What both databases must do alike: the port of `adapter.ts`, and the little that stands right above it. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SelectQueryBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { audit, checkCanary, createSecretCipher, type Database, signalKey } from './index.ts';
import { int8ToNumber } from './postgres/open.ts';
import type { Tables } from './tables.ts';
import { atOnce, openTestDatabases, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('the state database on $name', (backend) => {
  const now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
  });
  afterEach(() => home.remove());

  test('stands from nothing with one organization, and opening again changes nothing', async () => {
    const empty = await backend.fresh({ empty: true });
    try {
      const first = await empty.node();
      await first.migrate();
      const again = await empty.node();
      await again.ping();
      const organizations = await again.reader.selectFrom('organizations').selectAll().execute();
      expect(organizations.map(({ id }) => id)).toEqual([DEFAULT_ORGANIZATION_ID]);
    } finally {
      await empty.remove();
    }
  });

  test('five nodes that start at once on an empty database migrate it once', async () => {
    const empty = await backend.fresh({ empty: true });
    try {
      const nodes = await Promise.all(Array.from({ length: 5 }, () => empty.node()));
      for (const node of nodes) {
        expect(await node.reader.selectFrom('organizations').select('id').execute()).toHaveLength(1);
      }
    } finally {
      await empty.remove();
    }
  });

  test('keeps times and counts beyond 32 bits as numbers and refuses to round', async () => {
    const at = Number.MAX_SAFE_INTEGER;
    await audit(db.kysely, { at, actor: 'root', action: 'test', subject: 'x', organizationId: null });
    const row = await db.reader.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow();
    expect(row.at).toBe(at);
    const { n } = await db.reader
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(1);
    expect(() => int8ToNumber('9007199254740993')).toThrow(RangeError);
  });

  test('enforces references and rolls a failed transaction back whole', async () => {
    const attempt = db.kysely.transaction().execute(async (trx) => {
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: null });
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: randomUUID() });
    });
    await expect(attempt).rejects.toThrow();
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toEqual([]);
  });

  test('names the columns of a primary key in their order', async () => {
    expect(await db.adapter.primaryKey(db.reader, 'sessions')).toEqual([
      'attribution_id',
      'visitor_id',
      'id',
    ]);
    expect(await db.adapter.primaryKey(db.reader, 'installation')).toEqual(['key']);
  });

  test('answers reads while a transaction stands open, and shows only what is committed', async () => {
    const opened = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const transaction = db.kysely.transaction().execute(async (trx) => {
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: null });
      opened.resolve();
      await finish.promise;
    });
    await opened.promise;
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toEqual([]);
    finish.resolve();
    await transaction;
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toHaveLength(1);
  });

  test('gives a lock to one holder at a time, on every node, and frees it after an error', async () => {
    const other = await home.node();
    const inside: (boolean | number)[] = [];
    const ran = await db.withLock('job:a', async () => {
      inside.push(await other.withLock('job:a', async () => undefined));
      inside.push(await db.withLock('job:a', async () => undefined));
      inside.push(await other.withLock('job:b', async () => undefined));
    });
    expect([ran, inside]).toEqual([true, [false, false, true]]);
    await expect(
      db.withLock('job:a', async () => {
        throw new Error('the job failed');
      }),
    ).rejects.toThrow('the job failed');
    expect(await other.withLock('job:a', async () => undefined)).toBe(true);
  });

  test('lets those who wait for a lock in one after the other', async () => {
    const nodes = [db, await home.node(), await home.node()];
    let inside = 0;
    const seen: number[] = [];
    await Promise.all(
      nodes.map((node) =>
        node.underLock('tables', async () => {
          inside += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
          seen.push(inside);
          inside -= 1;
        }),
      ),
    );
    expect(seen).toEqual([1, 1, 1]);
  });

  test('counts a signal without an organization in one row, however often it comes', async () => {
    const signal = {
      organization_id: null,
      attribution_id: null,
      kind: 'auth_error',
      detail: 'missing',
      endpoint: 'edge_worker',
    };
    const row = { ...signal, key: signalKey(signal), count: 1, first_at: 1, last_at: 1, sample: null };
    for (let i = 0; i < 3; i += 1) {
      await db.kysely
        .insertInto('setup_signals')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet(({ eb }) => ({ count: eb('setup_signals.count', '+', 1) })),
        )
        .execute();
    }
    const rows = await db.reader.selectFrom('setup_signals').select('count').execute();
    expect(rows.map(({ count }) => count)).toEqual([3]);
    expect(signalKey({ ...signal, organization_id: '' })).not.toBe(row.key);
  });

  test('a node with another SECRET_KEY is refused, with the old one next to it the canary is re-encrypted', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const other = await home.node();
    await Promise.all([
      checkCanary(db, createSecretCipher(old)),
      checkCanary(other, createSecretCipher(old)),
    ]);
    await expect(checkCanary(db, createSecretCipher(fresh))).rejects.toThrow('SECRET_KEY_PREVIOUS');
    await checkCanary(db, createSecretCipher(fresh, old));
    await checkCanary(db, createSecretCipher(fresh));
    await expect(checkCanary(db, createSecretCipher(old))).rejects.toThrow('SECRET_KEY');
  });

  describe('its adapter', () => {
    type Queries = Database['kysely'];
    type Locked = SelectQueryBuilder<Tables, 'installation', { value: string }>;
    const put = (key: string, value: string) =>
      db.kysely.insertInto('installation').values({ key, value }).execute();
    const textOf = async (key: string) =>
      (await db.reader.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst())
        ?.value;
    const counter = (trx: Queries) =>
      trx.selectFrom('installation').select('value').where('key', '=', 'counter');
    /** One more, in the way that loses what another transaction adds meanwhile. */
    const addOne = async (trx: Queries, read: Locked) => {
      const { value } = await read.executeTakeFirstOrThrow();
      await sql`select 1`.execute(trx);
      await trx
        .updateTable('installation')
        .set({ value: String(Number(value) + 1) })
        .where('key', '=', 'counter')
        .execute();
    };
    const countTo = async (calls: number, lock: (trx: Queries) => Promise<Locked>) => {
      await put('counter', '0');
      await atOnce(db, calls, () =>
        db.kysely.transaction().execute(async (trx) => addOne(trx, await lock(trx))),
      );
      return await textOf('counter');
    };

    test.each([
      ['forUpdate', (query: Locked): Locked => db.adapter.forUpdate(query)],
      ['forNoKeyUpdate', (query: Locked): Locked => db.adapter.forNoKeyUpdate(query)],
    ])('%s: of transactions at once each sees what the one before has done', async (_, lock) => {
      expect(await countTo(20, async (trx) => lock(counter(trx)))).toBe('20');
    });

    test('lockName: transactions that ask for one name go one after the other', async () => {
      const lock = async (trx: Queries) => {
        await db.adapter.lockName(trx, 'order:1');
        return counter(trx);
      };
      expect(await countTo(20, lock)).toBe('20');
    });

    test('skipLocked: statements at once take different rows, and none waits until nothing is left for it', async () => {
      for (let n = 0; n < 10; n += 1) await put(`free:${n}`, 'free');
      const taken = await atOnce(db, 10, async () => {
        const { rows } = await sql<{ key: string }>`
          update installation set value = 'taken' where key in (
            select key from installation where value = 'free' order by key limit 1 ${db.adapter.skipLocked}
          ) returning key`.execute(db.kysely);
        return rows[0]?.key;
      });
      const keys = taken.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
      expect(keys.sort()).toEqual(Array.from({ length: 10 }, (_, n) => `free:${n}`));
    });

    test('rowAddress: deletes so many rows of a table, whatever its key is', async () => {
      for (let n = 0; n < 5; n += 1) await put(`row:${n}`, 'old');
      const { rowAddress } = db.adapter;
      const { numAffectedRows } = await sql`delete from installation where ${rowAddress} in (
        select ${rowAddress} from installation where value = 'old' limit 2)`.execute(db.kysely);
      expect(Number(numAffectedRows)).toBe(2);
      const left = await db.reader.selectFrom('installation').select('key').execute();
      expect(left).toHaveLength(3);
    });

    test('jsonItems: a list is a table, with text, numbers and null as they are', async () => {
      const list = [
        { text: `it's "quoted" \\ ü 😀`, number: 9007199254740991, none: null },
        { text: '', number: -1, none: null },
      ];
      const { rows } = await sql`
        select v.value ->> 'text' as text, cast(v.value ->> 'number' as bigint) as number, v.value ->> 'none' as none
        from ${db.adapter.jsonItems(list)} order by number desc`.execute(db.reader);
      expect(rows).toEqual(list);
      const none = await sql`select 1 from ${db.adapter.jsonItems([])}`.execute(db.reader);
      expect(none.rows).toEqual([]);
    });

    test('now: one moment in a statement, in microseconds, and never back in the next', async () => {
      const { now: clockOfDatabase } = db.adapter;
      const read = async () => {
        const { rows } = await sql<{ at: number; apart: number }>`
          select ${clockOfDatabase} as at, ${clockOfDatabase} - ${clockOfDatabase} as apart`.execute(
          db.reader,
        );
        return rows[0] ?? { at: Number.NaN, apart: Number.NaN };
      };
      const [first, second] = [await read(), await read()];
      expect(first.apart).toBe(0);
      expect(second.at).toBeGreaterThanOrEqual(first.at);
      expect(Math.abs(first.at / 1_000 - Date.now())).toBeLessThan(24 * 3_600_000);
    });

    test('isShared: it is said of the one that other nodes reach by its address', () => {
      expect(db.adapter.isShared).toBe(home.url !== null);
    });

    test('refusesRows: rows that break a rule are refused for ever, other statements are not', async () => {
      const row = { id: 'x', at: 1, actor: 'root', action: 'x', subject: 'x', organization_id: null };
      const refuses = async (statement: Promise<unknown>) => {
        const error = await statement.then(
          () => null,
          (thrown: unknown) => thrown,
        );
        return error instanceof Error ? db.adapter.refusesRows(error) : 'nothing was thrown';
      };
      const write = (values: object) =>
        db.kysely
          .insertInto('audit_log')
          .values({ ...row, ...values })
          .execute();
      await write({});
      expect(await refuses(write({}))).toBe(true);
      expect(await refuses(write({ id: 'y', organization_id: 'none' }))).toBe(true);
      expect(await refuses(write({ id: 'y', actor: null }))).toBe(true);
      expect(await refuses(sql`select nothing`.execute(db.kysely))).toBe(false);
      await db.close();
      expect(await refuses(write({ id: 'y' }))).toBe(false);
    });
  });
});

test('no other file asks which database it has, or writes words that only one of them knows', () => {
  const src = join(import.meta.dirname, '..');
  // Where the spool is kept is another question: a value of SPOOL, and what the readiness says of it.
  const own = /^(database\/(sqlite|postgres|testing|adapter\.ts$)|spool\/|config\.ts$|http\/intake\.ts$)/;
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|(^|\/)testing/.test(path) && !own.test(path));
  expect(files.length).toBeGreaterThan(300);
  const branch =
    /'(sqlite|postgres)'|adapter\.name\s*[!=]=|\bctid\b|\browid\b|\bpg_[a-z]|json_each|\.(forUpdate|forNoKeyUpdate|skipLocked)\(/;
  const found = files.filter((path) => branch.test(readFileSync(join(src, path), 'utf8')));
  expect(found).toEqual([]);
});
