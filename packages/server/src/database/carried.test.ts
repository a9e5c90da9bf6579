import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { loadPostgres } from './backup.ts';
import { CARRIED, type Carried, carryForward } from './carried.ts';
import { type Database, openDatabase } from './database.ts';
import { carryInCopy } from './sqlite/copied.ts';
import { TABLE_NAMES } from './table-register.ts';
import { openTestDatabases, silentLog, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const BEFORE = 1_000;
const SINCE = 2_000;
const RESTORED = 3_000;
const OTHERS = 'c0000000-0000-4000-8000-000000000002';

describe.each(databases.backends)('what a restore keeps on $name', (backend) => {
  let folder: string;
  let home: TestDatabase;
  let db: Database;
  let close: () => Promise<void>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ghostlight-carried-'));
    home = await backend.fresh();
    if (backend.name === 'sqlite') {
      db = await openDatabase({ url: null, dataDir: folder, log: silentLog });
      close = () => db.close();
    } else {
      db = await home.node();
      close = async () => undefined;
    }
    await seed(db, backend.name === 'sqlite');
  });
  afterEach(async () => {
    await close();
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The database as it is becomes what the backup has; the statements say what happened since, where `$` stands before a table. */
  async function restore(since: readonly string[]): Promise<Carried> {
    if (backend.name === 'postgres') {
      const run = (text: string) => sql.raw(text).execute(db.kysely);
      await run('CREATE SCHEMA was');
      for (const table of TABLE_NAMES) await run(`CREATE TABLE was.${table} AS TABLE ${table}`);
      for (const text of since) await run(text.replaceAll('$', 'was.'));
      const loading = await loadPostgres(home.url ?? '');
      try {
        const carried = await loading.carryFrom('was', RESTORED);
        await loading.commit();
        return carried;
      } finally {
        await loading.release();
      }
    }
    await db.close();
    const [file, old] = [join(folder, 'state.sqlite'), join(folder, 'old.sqlite')];
    cpSync(file, old);
    const was = new DatabaseSync(old, { enableForeignKeyConstraints: false });
    for (const text of since) was.exec(text.replaceAll('$', ''));
    was.close();
    const carried = await carryInCopy(file, old, RESTORED);
    db = await openDatabase({ url: null, dataDir: folder, log: silentLog });
    return carried;
  }

  it('has an entry for each table that marks what is deleted or revoked', async () => {
    const tables = await db.kysely.introspection.getTables();
    const marking = tables.filter(({ columns }) =>
      columns.some(({ name }) => name === 'deleted_at' || name === 'revoked_at'),
    );
    expect(marking.length).toBeGreaterThan(7);
    const known: readonly string[] = CARRIED.map(({ table }) => table);
    expect(marking.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(known).toEqual(expect.arrayContaining(['deletions', 'erased_visitors', 'members']));
  });

  it('is nothing where nothing happened since', async () => {
    const carried = await restore([]);
    expect(carried).toEqual({
      counts: { deletions: 0, erasures: 0, revocations: 0, removals: 0 },
      missing: [],
    });
    const { members, keys } = await state(db);
    expect([members.length, Object.values(keys)]).toEqual([3, [null, null, null, null]]);
  });

  it('is what was deleted, erased and revoked, who was removed, and nothing else', async () => {
    const { counts, missing } = await restore([
      `UPDATE $properties SET deleted_at = ${SINCE}, name = '', domain = '' WHERE id IN ('gone', 'theirs')`,
      "DELETE FROM $ingest_keys WHERE attribution_id = 'gone'",
      `INSERT INTO $deletions (id, organization_id, attribution_id, name, asked_by, asked_at, state, found, rest, counted_at, finished_at)
VALUES ('del_1', '${DEFAULT_ORGANIZATION_ID}', 'gone', 'Gone', 'root', ${SINCE}, 'done', '{"touches":1}', '{}', 1, 1),
('del_2', '${OTHERS}', NULL, 'Others', 'root', ${SINCE}, 'done', '{}', '{}', 1, 1)`,
      `UPDATE $organizations SET deleted_at = ${SINCE} WHERE id = '${OTHERS}'`,
      "DELETE FROM $members WHERE person_id IN ('expelled', 'absent', 'other')",
      "DELETE FROM $people WHERE id = 'other'",
      `INSERT INTO $audit_log (id, organization_id, at, actor, action, subject) VALUES ('a', '${DEFAULT_ORGANIZATION_ID}', ${SINCE}, 'root', 'member.removed', 'expelled')`,
      "DELETE FROM $sign_in_sessions WHERE digest = 'ended'",
      `UPDATE $ingest_keys SET revoked_at = ${SINCE} WHERE id = 'revoked'`,
      `UPDATE $ingest_keys SET expires_at = ${SINCE} WHERE id = 'replaced'`,
      `INSERT INTO $erased_visitors (attribution_id, visitor_id, organization_id, at, swept) VALUES ('kept', 'x', '${DEFAULT_ORGANIZATION_ID}', ${SINCE}, 1)`,
      `UPDATE $destinations SET deleted_at = ${SINCE}, credentials = '' WHERE id = 'ended'`,
    ]);
    expect({ counts, missing }).toEqual({
      counts: { deletions: 3, erasures: 1, revocations: 2, removals: 1 },
      missing: [],
    });
    const { members, keys, sessions, people } = await state(db);
    // A person who is only absent there may have come later than that database.
    expect(members).toEqual(['absent']);
    expect(people).toEqual(['absent', 'expelled']);
    expect(sessions).toEqual(['open']);
    expect(keys).toEqual({ gone: RESTORED, revoked: SINCE, replaced: null, kept: null });
    const query = db.kysely;
    const replaced = query.selectFrom('ingest_keys').select('expires_at').where('id', '=', 'replaced');
    expect(await replaced.executeTakeFirst()).toEqual({ expires_at: SINCE });
    const properties = await query
      .selectFrom('properties')
      .select(['id', 'deleted_at'])
      .orderBy('id')
      .execute();
    expect(properties).toEqual([
      { id: 'gone', deleted_at: RESTORED },
      { id: 'kept', deleted_at: null },
      { id: 'theirs', deleted_at: RESTORED },
    ]);
    // The job begins again.
    const deletions = await query.selectFrom('deletions').selectAll().orderBy('id').execute();
    const again = { asked_at: RESTORED, state: 'waiting', found: '{}', counted_at: null, finished_at: null };
    expect(deletions).toMatchObject([
      { id: 'del_1', name: 'Gone', ...again },
      { id: 'del_2', ...again },
    ]);
    const marks = await query.selectFrom('erased_visitors').select(['visitor_id', 'at', 'swept']).execute();
    expect(marks).toEqual([{ visitor_id: 'x', at: SINCE, swept: 2 }]);
    const destinations = query.selectFrom('destinations').select(['deleted_at', 'credentials']);
    expect(await destinations.execute()).toEqual([{ deleted_at: RESTORED, credentials: '' }]);
  });
});

async function state({ kysely }: Database) {
  const column = <Row extends object>(rows: readonly Row[], name: keyof Row) => rows.map((row) => row[name]);
  const keys = await kysely.selectFrom('ingest_keys').select(['id', 'revoked_at']).execute();
  return {
    members: column(
      await kysely.selectFrom('members').select('person_id').orderBy('person_id').execute(),
      'person_id',
    ),
    people: column(await kysely.selectFrom('people').select('id').orderBy('id').execute(), 'id'),
    sessions: column(await kysely.selectFrom('sign_in_sessions').select('digest').execute(), 'digest'),
    keys: Object.fromEntries(keys.map(({ id, revoked_at: at }) => [id, at])),
  };
}

/** What the backup has. */
async function seed({ kysely }: Database, isSqlite: boolean): Promise<void> {
  const ours = { organization_id: DEFAULT_ORGANIZATION_ID };
  const made = { created_at: BEFORE, updated_at: BEFORE };
  await kysely
    .insertInto('organizations')
    .values({ id: OTHERS, name: 'Others', created_at: BEFORE })
    .execute();
  const property = (id: string, organization_id: string) => ({
    ...{ id, organization_id, name: id, domain: `${id}.example`, ...made, deleted_at: null },
  });
  await kysely
    .insertInto('properties')
    .values([
      property('gone', DEFAULT_ORGANIZATION_ID),
      property('kept', DEFAULT_ORGANIZATION_ID),
      property('theirs', OTHERS),
    ])
    .execute();
  const date = new Date(BEFORE).toISOString();
  await kysely
    .insertInto('people')
    .values(
      ['absent', 'expelled', 'other'].map((id) => ({
        ...{ id, name: id, email: `${id}@example.com`, email_verified: isSqlite ? 1 : true },
        ...{ image: null, created_at: date, updated_at: date },
      })),
    )
    .execute();
  const member = (person_id: string, organization_id: string) => ({
    ...{ person_id, organization_id, role: 'admin' as const, created_at: BEFORE },
  });
  await kysely
    .insertInto('members')
    .values([
      member('absent', DEFAULT_ORGANIZATION_ID),
      member('expelled', DEFAULT_ORGANIZATION_ID),
      member('other', OTHERS),
    ])
    .execute();
  await kysely
    .insertInto('sign_in_sessions')
    .values(
      ['open', 'ended'].map((digest) => ({
        ...{ digest, ...ours, person_id: 'absent', address: null, user_agent: null, actor: 'person:absent' },
        ...{ created_at: BEFORE, last_seen_at: BEFORE, expires_at: 9_000 },
      })),
    )
    .execute();
  await kysely
    .insertInto('ingest_keys')
    .values(
      ['gone', 'revoked', 'replaced', 'kept'].map((id) => ({
        ...{
          id,
          ...ours,
          attribution_id: id === 'gone' ? 'gone' : 'kept',
          name: id,
          provider: 'edge_worker',
        },
        ...{ prefix: id, digest: id, created_at: BEFORE, last_used_at: null, revoked_at: null },
        ...{ settings: null, expires_at: null },
      })),
    )
    .execute();
  await kysely
    .insertInto('destinations')
    .values({
      ...{ id: 'ended', ...ours, attribution_id: 'kept', platform: 'ga4', name: 'GA4', config: '{}' },
      ...{ credentials: 'sealed', credentials_at: BEFORE, events: '[]', paused: 0, alarm: null },
      ...{ not_before: null, failures: 0, revision: 1, ...made, deleted_at: null },
    })
    .execute();
}

it('says which tables a backup of an older version does not have', async () => {
  const asked: string[] = [];
  const { missing } = await carryForward(
    {
      schema: 'was',
      run: async (statement) => {
        asked.push(statement);
        return [];
      },
      columns: async (schema, table) =>
        schema === null && table === 'share_links' ? [] : ['id', 'revoked_at', 'expires_at'],
    },
    RESTORED,
  );
  expect(missing).toEqual(['share_links']);
  expect(asked.join('\n')).not.toContain('UPDATE share_links');
  expect(asked.join('\n')).toContain('UPDATE api_tokens');
});
