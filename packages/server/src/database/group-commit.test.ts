import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inRequest } from '../common/index.ts';
import { audit, createGroupCommit, type Database, type GroupCommit } from './index.ts';
import { openTestDatabases, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('transactions that share a commit on $name', (backend) => {
  let home: TestDatabase;
  let db: Database;
  let commits: GroupCommit;
  beforeEach(async () => {
    home = await backend.fresh();
    db = await home.node();
    commits = createGroupCommit(db);
  });
  afterEach(() => home.remove());
  const write = (trx: Database['kysely'], subject: string) =>
    audit(trx, { at: 1, actor: 'root', action: 'test', subject, organizationId: null });
  const written = async () =>
    (await db.reader.selectFrom('audit_log').select('subject').execute()).map(({ subject }) => subject);

  test('each row names the request that it was written for', async () => {
    const ids = ['a', 'b', 'c'];
    await Promise.all(
      ids.map((requestId) => inRequest({ requestId }, () => commits.run((trx) => write(trx, requestId)))),
    );
    await commits.run((trx) => write(trx, 'by a job'));
    const rows = await db.reader.selectFrom('audit_log').select(['subject', 'request_id']).execute();
    expect(new Map(rows.map(({ subject, request_id }) => [subject, request_id]))).toEqual(
      new Map([...ids.map((id) => [id, id] as const), ['by a job', null]]),
    );
  });

  test('each commits or fails by itself, and is there when it resolves', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        commits
          .run(async (trx) => {
            await write(trx, `${n}`);
            if (n % 10 === 3) throw new Error(`refused ${n}`);
            if (n % 10 === 7) await trx.insertInto('installation').values({ key: 'x', value: 'x' }).execute();
            return n;
          })
          .then(async (value) => {
            expect(await written()).toContain(`${n}`);
            return value;
          }),
      ),
    );
    const refused = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    // One of those with the same key comes first, the others fail by the database's own word.
    expect(refused.filter((n) => n % 10 === 3)).toHaveLength(10);
    expect(refused.filter((n) => n % 10 === 7)).toHaveLength(9);
    expect(refused).toHaveLength(19);
    expect((await written()).sort()).toEqual(
      results.flatMap(({ status }, n) => (status === 'fulfilled' ? [`${n}`] : [])).sort(),
    );
  });

  test('a closed database refuses all of them, and no caller waits for ever', async () => {
    await db.close();
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => commits.run((trx) => write(trx, `${n}`))),
    );
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
