/** The state database in PostgreSQL, in and out of a backup. The driver is loaded only here, where it is used. */
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from './migrations/index.ts';
import type { HeldTables, LoadingTables } from './postgres/dump.ts';
import { TABLE_NAMES } from './table-register.ts';

export type { HeldTables, LoadingTables } from './postgres/dump.ts';

/** Every table of it that a backup has, parents first. */
export const STATE_TABLES: readonly string[] = TABLE_NAMES;
/** And those that say which migrations have run. */
export const STATE_TABLES_OF_MIGRATIONS: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** @param lock see `holdTables` @throws connection errors */
export async function holdPostgres(url: string, lock: string | null = null): Promise<HeldTables> {
  return await (await import('./postgres/dump.ts')).holdTables(url, lock);
}

/** @throws connection errors */
export async function loadPostgres(url: string): Promise<LoadingTables> {
  return await (await import('./postgres/dump.ts')).loadTables(url);
}

/** Name of the newest migration that has run. */
export async function newestMigration({ query }: Pick<HeldTables, 'query'>): Promise<string> {
  const [row] = await query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1');
  return row?.name ?? '';
}

/** Makes the tables as they were after that migration, inside the transaction of `loading`. */
export async function makeStateTables({ kysely, query }: LoadingTables, migration: string): Promise<void> {
  const [row] = await query<{ schema: string }>('SELECT current_schema() AS schema');
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    disableTransactions: true,
    // Else it would find those that have moved aside.
    migrationTableSchema: row?.schema ?? 'public',
  });
  const { error } = await migrator.migrateTo(migration);
  if (error !== undefined) throw error;
}
