/** Opens the state database: SQLite in the data directory, or PostgreSQL. Above this file nobody knows which. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Clock, type Log, StartError, startSentence } from '../common/index.ts';
import type { DialectTwin } from './dialect.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openPostgres, POOL_SIZE } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** How long `underLock` waits for its turn, and how often it asks. */
const LOCK_WAIT_MS = 60_000;
const LOCK_POLL_MS = 100;
/** Kysely's own table of migrations that have run. */
const LEDGER = 'kysely_migration';
/** PostgreSQL's words for a role without CREATE: on the schema, or on any. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NO_SCHEMA = '3F000';

export interface Database {
  /**
   * Writes, transactions, and reads that belong to them. On SQLite there is one writing connection: inside a transaction await nothing
   * but the database, or everybody else waits too.
   */
  readonly kysely: Kysely<Tables>;
  /** Reads that never wait behind somebody's open transaction; sees everything committed. */
  readonly reader: Kysely<Tables>;
  readonly dialect: 'sqlite' | 'postgres';
  /** One round trip. @throws when the database does not answer; DatabaseUnwritable when its disk takes no writes */
  ping(): Promise<void>;
  /** Brings the tables to this version; `openDatabase` has already done so. Safe on many nodes at once. @throws when one fails */
  migrate(): Promise<void>;
  /** Runs the function while this caller alone, over all nodes, holds the lock. @returns false, at once, when somebody else holds it */
  withLock(name: string, run: () => Promise<void>): Promise<boolean>;
  /** The same, but waits for its turn (at most a minute). @throws when the turn does not come */
  underLock<T>(name: string, run: () => Promise<T>): Promise<T>;
  /**
   * SQLite: gives the log back, in which what was deleted still stands; in the file it is overwritten with zeros.
   * @throws when somebody reads all the time
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`, or null: SQLite in `dataDir`. */
  readonly url: string | null;
  /** Connections that PostgreSQL is asked for at most, besides those of locks. Default 10. */
  readonly poolSize?: number;
  readonly dataDir: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Default true. False: what SQLite has committed is on disk only after `close`; for what is made anew when it is lost. */
  readonly durable?: boolean;
}

/** Opens and migrates. @throws when the database can't be reached or a migration fails */
export async function openDatabase({
  url,
  poolSize = POOL_SIZE,
  dataDir,
  log,
  clock = Date.now,
  durable = true,
}: DatabaseOptions): Promise<Database> {
  try {
    const backend =
      url === null ? await openSqlite(dataDir, clock, durable) : await openPostgres(url, log, poolSize);
    const database = over(backend);
    try {
      await database.migrate();
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  } catch (error) {
    const sentence = url === null ? startSentence(error, join(dataDir, 'state.sqlite')) : null;
    if (error instanceof StartError || sentence === null) throw error;
    throw new StartError(sentence, { cause: error });
  }
}

function over(backend: DialectTwin): Database {
  let closing: Promise<void> | undefined;
  return {
    kysely: backend.kysely,
    reader: backend.reader,
    dialect: backend.dialect,
    async ping() {
      await sql`select 1`.execute(backend.reader);
      await backend.checkDisk();
    },
    migrate: () => backend.migrating(migrateToLatest),
    async withLock(name, run) {
      const release = await backend.tryLock(name);
      if (release === null) return false;
      try {
        await run();
      } finally {
        await release();
      }
      return true;
    },
    async underLock(name, run) {
      const deadline = performance.now() + LOCK_WAIT_MS;
      let release = await backend.tryLock(name);
      while (release === null) {
        if (performance.now() > deadline)
          throw new Error(`Nobody gave the lock ${name} back within a minute.`);
        await sleep(LOCK_POLL_MS);
        release = await backend.tryLock(name);
      }
      try {
        return await run();
      } finally {
        await release();
      }
    },
    scrub: backend.scrub,
    close() {
      closing ??= backend.close();
      return closing;
    },
  };
}

async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  await checkWrittenByUs(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const role = await roleWithoutRights(db, error);
  if (role !== null) {
    throw new StartError(
      `DATABASE_URL: the role ${role} may not create tables. Let its owner run: GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
      { cause: error },
    );
  }
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
      `The database was written by a newer Ghostlight (it has the migration ${newer}, this version ends with ${newest}). Start that version or a later one, or restore a backup of before.`,
    );
  const foreign = run.find((name, index) => name !== known[index]);
  if (foreign !== undefined)
    throw new StartError(
      `The database was written by a version whose migrations differ from this one's (${foreign}). Start the version that wrote it, or give this one another DATA_DIR or DATABASE_URL.`,
    );
}

/** @returns the role, quoted, when the error says that it may not make tables */
async function roleWithoutRights(db: Kysely<Tables>, error: unknown): Promise<string | null> {
  const { code } = error as { readonly code?: unknown };
  if (code !== INSUFFICIENT_PRIVILEGE && code !== NO_SCHEMA) return null;
  const { rows } = await sql<{ role: string }>`select quote_ident(current_user) as role`.execute(db);
  return rows[0]?.role ?? null;
}
