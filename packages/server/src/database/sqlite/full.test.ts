/** A disk that is really full: SQLite may have no more pages than it has. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { audit, createGroupCommit, type Database, DatabaseUnwritable, isDatabaseAway } from '../index.ts';
import { openTestDatabases, type TestDatabase } from '../testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

let home: TestDatabase;
let db: Database;
beforeEach(async () => {
  const sqlite = databases.backends.find(({ name }) => name === 'sqlite');
  if (sqlite === undefined) throw new Error('no SQLite');
  home = await sqlite.fresh();
  db = await home.node();
});
afterEach(() => home.remove());

const pages = async (more: number): Promise<void> => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.kysely);
  await sql`pragma max_page_count = ${sql.raw(String((rows[0]?.page_count ?? 0) + more))}`.execute(db.kysely);
};
const write = (trx: Database['kysely'], characters: number) =>
  audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x'.repeat(characters), organizationId: null });
const written = async () => (await db.reader.selectFrom('audit_log').select('id').execute()).length;

test('a transaction says that the disk is full, not that it could not be rolled back', async () => {
  await pages(0);
  const full = db.kysely.transaction().execute((trx) => write(trx, 100_000));
  await expect(full).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 13 });
  expect(await full.catch(isDatabaseAway)).toBe(true);
  expect(await written()).toBe(0);
});

test('all that share a commit get the error, nothing of any is there, and they can be repeated when there is space', async () => {
  const commits = createGroupCommit(db);
  await pages(0);
  const all = (characters: number) =>
    Promise.allSettled([1, 2, 3, 4].map((n) => commits.run((trx) => write(trx, n === 3 ? characters : 10))));
  for (const result of await all(100_000)) {
    expect(result.status === 'rejected' && isDatabaseAway(result.reason)).toBe(true);
  }
  expect(await written()).toBe(0);
  await pages(1_000);
  expect((await all(100_000)).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await written()).toBe(4);
});

test('the ping says so until there is room again, and leaves nothing behind', async () => {
  await db.ping();
  await pages(0);
  await expect(write(db.kysely, 100_000)).rejects.toThrow(/full/);
  await expect(db.ping()).rejects.toThrow(DatabaseUnwritable);
  await pages(1_000);
  await vi.waitFor(() => db.ping(), { timeout: 10_000, interval: 100 });
  const probes = db.reader.selectFrom('installation').select('key').where('key', '=', 'disk-probe').execute();
  expect(await probes).toEqual([]);
});
