/** Databases that this version must not use, or can't: a sentence, and no stack. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { StartError } from '../common/index.ts';
import { openDatabase } from './database.ts';
import { openTestDatabases, type TestDatabase, type TestDatabases } from './testing.ts';
import { silentLog } from './testing-postgres.ts';

let databases: TestDatabases;
let home: TestDatabase;
beforeAll(async () => {
  databases = await openTestDatabases();
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('there is no PostgreSQL');
  home = await postgres.fresh({ empty: true });
});
afterAll(async () => {
  await home.remove();
  await databases.close();
});

function directory(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-open-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}
const open = (dataDir: string) => openDatabase({ url: null, dataDir, log: silentLog });
const refused = async (opening: Promise<unknown>, sentence: RegExp) => {
  const error = await opening.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(sentence);
};

it('a damaged file is named, with what to do', async () => {
  const dataDir = directory();
  writeFileSync(join(dataDir, 'state.sqlite'), 'x'.repeat(8_192));
  await refused(open(dataDir), /state\.sqlite is damaged\. Restore the data directory from a backup/);
});

it.each([
  ['9999-later', /written by a newer Ghostlight \(it has the migration 9999-later/],
  ['0002-renumbered', /written by a version whose migrations differ from this one's \(0002-renumbered\)/],
])('a database that another version wrote (%s) is refused', async (name, sentence) => {
  const dataDir = directory();
  const database = await open(dataDir);
  if (name.startsWith('9'))
    await sql`insert into kysely_migration values (${name}, '')`.execute(database.kysely);
  else
    await sql`update kysely_migration set name = ${name} where name like '0002-%'`.execute(database.kysely);
  await database.close();
  await refused(open(dataDir), sentence);
});

/** A role of its own, and its address. */
async function role(name: string, words: string): Promise<string> {
  const admin = new pg.Client(home.url ?? '');
  await admin.connect();
  await admin.query(`create role ${name} login password 'pw' ${words}`);
  await admin.query('revoke create on schema public from public');
  await admin.end();
  const url = new URL(home.url ?? '');
  url.username = name;
  url.password = 'pw';
  onTestFinished(async () => {
    const again = new pg.Client(home.url ?? '');
    await again.connect();
    await again.query(`drop role ${name}`);
    await again.end();
  });
  return url.href;
}

it('the error for a role that may not create tables names the GRANT', async () => {
  const url = await role('reads_only', '');
  await refused(
    openDatabase({ url, dataDir: '', log: silentLog }),
    /^DATABASE_URL: the role reads_only may not create tables\. .*GRANT USAGE, CREATE ON SCHEMA public TO reads_only;$/,
  );
});

it('a pool that PostgreSQL can never fill is refused; one that others leave no room for is a warning', async () => {
  const url = await role('few', 'connection limit 8');
  const warn = vi.fn();
  const ask = (poolSize: number) => openDatabase({ url, poolSize, dataDir: '', log: { ...silentLog, warn } });
  await refused(
    ask(3),
    /^DATABASE_POOL_SIZE: this node may use 9 connections \(3 and 6 for locks\), PostgreSQL allows 8\./,
  );
  expect(warn).not.toHaveBeenCalled();
  const other = new pg.Client(home.url ?? '');
  await other.connect();
  await refused(ask(2), /may not create tables/);
  await other.end();
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ needed: 8, allowed: 8 }),
    expect.stringContaining('DATABASE_POOL_SIZE'),
  );
});
