import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database.ts';
import { audit, openDatabase } from './index.ts';
import { openTestDatabases, silentLog } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

async function thrown(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe.each(databases.backends)('an error of $name', (backend) => {
  it('says that the database is being closed, and that a statement was wrong', async () => {
    const home = await backend.fresh();
    const db = await home.node();
    const change = { at: 1, actor: 'root', action: 'x', subject: 'x', organizationId: 'nobody' };
    expect(isDatabaseAway(await thrown(() => audit(db.kysely, change)))).toBe(false);
    expect(isDatabaseAway(await thrown(() => sql`select nothing`.execute(db.reader)))).toBe(false);
    await db.close();
    expect(isDatabaseAway(await thrown(() => db.ping()))).toBe(true);
    await home.remove();
  });
});

it('says that another process holds SQLite’s write lock, that it may not write, that its file is gone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-away-'));
  const file = join(directory, 'x.sqlite');
  const [one, other] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 1 })];
  one.exec('create table t (x); begin immediate');
  expect(isDatabaseAway(await thrown(() => other.exec('insert into t values (1)')))).toBe(true);
  one.exec('commit');
  const readOnly = new DatabaseSync(file, { readOnly: true });
  expect(isDatabaseAway(await thrown(() => readOnly.exec('insert into t values (1)')))).toBe(true);
  for (const database of [one, other, readOnly]) database.close();
  expect(isDatabaseAway(await thrown(() => new DatabaseSync(join(directory, 'no', 'x'))))).toBe(true);
  rmSync(directory, { recursive: true });
});

it('says that PostgreSQL ended the connection, took too long, or is not there', async () => {
  const home = await databases.backends.find(({ name }) => name === 'postgres')?.fresh();
  if (home?.url === undefined || home.url === null) throw new Error('There is no PostgreSQL');
  const db = await home.node();
  const ended = await thrown(() => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.reader));
  expect(isDatabaseAway(ended)).toBe(true);
  const slow = await thrown(() =>
    db.kysely.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 20`.execute(trx);
      await sql`select pg_sleep(10)`.execute(trx);
    }),
  );
  expect(isDatabaseAway(slow)).toBe(true);
  const open = (url: string) => () => openDatabase({ url, dataDir: '', log: silentLog });
  const nobody = Object.assign(new URL(home.url), { port: '1' }).href;
  const wrong = Object.assign(new URL(home.url), { password: 'wrong' }).href;
  const absent = Object.assign(new URL(home.url), { pathname: '/absent' }).href;
  for (const url of [nobody, wrong, absent]) expect(isDatabaseAway(await thrown(open(url))), url).toBe(true);
  await home.remove();
});

it.each([new Error('x'), new TypeError('x is not a function'), 'text', null, { code: '57014' }])(
  'is no other fault: %s',
  (error) => {
    expect(isDatabaseAway(error)).toBe(false);
  },
);
