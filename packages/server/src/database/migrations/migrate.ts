/** Brings the tables of an opened database to this version. */
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartError } from '../../common/index.ts';
import type { OpenedDatabase } from '../adapter.ts';
import type { Tables } from '../tables.ts';
import { MIGRATIONS } from './index.ts';

/** Kysely's own table of migrations that have run. */
const LEDGER = 'kysely_migration';

/** @throws StartError when another version has written to it, or a right is missing; else the migration's own error as the cause */
export async function migrateToLatest(
  db: Kysely<Tables>,
  { missingRights }: Pick<OpenedDatabase, 'missingRights'>,
): Promise<void> {
  await checkWrittenByUs(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const sentence = await missingRights(db, error);
  if (sentence !== null) throw new StartError(sentence, { cause: error });
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new Error(
    `The database could not be brought to this version${failed === undefined ? '' : ` (migration ${failed})`}.`,
    { cause: error },
  );
}

/** A database that another version has written to can't be used: nothing leads back, and a renumbered step would be run again or never. */
async function checkWrittenByUs(db: Kysely<Tables>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === LEDGER)) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(LEDGER)} order by name`.execute(
    db,
  );
  const known = Object.keys(MIGRATIONS);
  const run = rows.map(({ name }) => name);
  const newest = known.at(-1) ?? '';
  const newer = run.find((name) => name > newest);
  if (newer !== undefined)
    throw new StartError(
      `The database was written by a newer Ghostlight (it has the migration ${newer}, this version ends with ${newest}). Start that version or a later one, or restore an earlier backup.`,
    );
  const foreign = run.find((name, index) => name !== known[index]);
  if (foreign !== undefined)
    throw new StartError(
      `The database was written by a version whose migrations differ from this one's (${foreign}). Start the version that wrote it, or give this one another DATA_DIR or DATABASE_URL.`,
    );
}
