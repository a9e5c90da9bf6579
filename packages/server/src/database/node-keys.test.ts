import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { announceKeys } from './node-keys.ts';
import { keyIdsOf } from './secrets.ts';
import { openTestDatabases, type TestDatabase, type TestDatabases } from './testing.ts';
import { silentLog } from './testing-postgres.ts';

let databases: TestDatabases;
let home: TestDatabase;
let db: Database;
beforeAll(async () => {
  databases = await openTestDatabases();
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('there is no PostgreSQL');
  home = await postgres.fresh();
  db = await home.node();
});
afterAll(async () => {
  await home.remove();
  await databases.close();
});
beforeEach(async () => {
  await db.kysely.deleteFrom('installation').execute();
});

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)];
let now = 1_000_000;
const announce = (node: string, key: string, previous: string | null = null) =>
  announceKeys(db, keyIdsOf(key, previous), { node, clock: () => now, log: silentLog });

it('a rotation in two steps passes node by node', async () => {
  let one = await announce('one', OLD);
  let two = await announce('two', OLD);
  // First every node can decrypt what the new key encrypts.
  await one.close();
  one = await announce('one', OLD, NEW);
  await two.close();
  two = await announce('two', OLD, NEW);
  // Then each one encrypts with it.
  await one.close();
  one = await announce('one', NEW, OLD);
  await two.close();
  two = await announce('two', NEW, OLD);
  // At last the old one goes.
  await one.close();
  await announce('one', NEW);
});

it('a node that begins to encrypt with a key that a running one lacks is refused, with what to do', async () => {
  await announce('one', OLD);
  await expect(announce('two', NEW, OLD)).rejects.toThrow(
    /First give every node the new key as SECRET_KEY_PREVIOUS/,
  );
  // It is no node yet: the first may restart with what it had.
  await announce('one', OLD);
});

it('a node that lacks the key with which a running one still encrypts is refused', async () => {
  await announce('one', OLD, NEW);
  await expect(announce('two', NEW)).rejects.toThrow(/^SECRET_KEY_PREVIOUS: another node runs/);
});

it('a node that has not been heard of for three minutes binds none, and its row goes', async () => {
  await announce('killed', OLD);
  now += 3 * 60_000;
  await expect(announce('two', NEW, OLD)).rejects.toThrow(/SECRET_KEY/);
  now += 1;
  await announce('two', NEW, OLD);
  const rows = await db.kysely.selectFrom('installation').select(['key', 'value']).execute();
  expect(rows.map(({ key }) => key)).toEqual(['node-keys:two']);
  expect(rows[0]?.value).not.toContain('nnnn');
});
