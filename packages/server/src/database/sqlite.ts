/** The embedded backend: node:sqlite under Kysely, one connection that writes and one that only reads. */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import type { Clock } from '../common/index.ts';
import { MOST_LOG_PAGES, startCheckpoints } from './checkpoints.ts';
import type { DialectTwin } from './dialect.ts';
import { watchDisk } from './disk.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5_000;
/** How long a start waits for somebody else's migration. */
const MIGRATION_WAIT_MS = 60_000;
/** A lock whose holder died is free again after this; the holder renews it three times as often. */
const LOCK_LEASE_MS = 15_000;
const SQLITE_BUSY = 5;
/** Statements that are kept prepared, the latest used: more than a busy service has. Longer ones are inserts of many rows, hardly ever alike. */
const MAX_STATEMENTS = 300;
const MAX_STATEMENT_LENGTH = 4_096;

/** @param durable false: commits do not wait for the disk, only the close does */
export async function openSqlite(dataDir: string, clock: Clock, durable = true): Promise<DialectTwin> {
  const file = join(dataDir, 'state.sqlite');
  const writer = await patiently(() => connect(file));
  if (!durable) writer.exec('PRAGMA synchronous = OFF');
  chmodSync(file, 0o600);
  const readOnly = connect(file, true);
  const disk = watchDisk(() => kysely);
  const kysely = over(writer, disk.met);
  const reader = over(readOnly);
  const checkpoints = startCheckpoints(file);
  const holder = randomUUID();

  return {
    dialect: 'sqlite',
    kysely,
    reader,
    checkDisk: disk.check,
    scrub: checkpoints.scrub,
    migrating: (run) => migrating(file, run),
    tryLock: (name) => tryLock(kysely, name, holder, clock),
    async close() {
      await checkpoints.close();
      await reader.destroy();
      // Before Kysely closes the connection. The checkpoint's fsyncs cover all that was written before it.
      if (!durable) writer.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
      await kysely.destroy();
      // Kysely closes a connection only if it ever ran a query.
      for (const database of [readOnly, writer]) if (database.isOpen) database.close();
    },
  };
}

function connect(file: string, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
  if (!readOnly) {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${MOST_LOG_PAGES}`,
    );
  }
  return database;
}

/**
 * node:sqlite speaks almost, not quite, what Kysely expects: bare, INSERTs throw and SELECTs answer nothing. Preparing a statement costs a
 * fifth of a conversion's time, so they are kept; each is done before the next begins, and a stream, which isn't, gets one of its own.
 */
function over(database: DatabaseSync, onError: (error: unknown) => void = () => undefined): Kysely<Tables> {
  const statements = new Map<string, SqliteStatement>();
  const prepared = (text: string): SqliteStatement => {
    // On a full disk SQLite has rolled back by itself, and a second time is an error that would hide the first.
    if (text === 'rollback' && !database.isTransaction) return NOTHING;
    const statement = statements.get(text) ?? prepare(database, text, onError);
    if (text.length > MAX_STATEMENT_LENGTH) return statement;
    statements.delete(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare: prepared,
      },
    }),
  });
}

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

function prepare(database: DatabaseSync, text: string, onError: (error: unknown) => void): SqliteStatement {
  const statement = database.prepare(text);
  const told = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => told(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => told(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => database.prepare(text).iterate(...(parameters as SQLInputValue[])),
  };
}

/**
 * SQLite's own write lock, held over the whole migration by a connection of its own. It is tried again and again instead of waited for:
 * a blocking wait would stop the very event loop that another holder in this process needs to finish.
 */
async function migrating<T>(file: string, run: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const database = connect(file);
  database.exec('PRAGMA busy_timeout = 0');
  const kysely = over(database);
  try {
    await patiently(() => database.exec('BEGIN IMMEDIATE'));
    const result = await run(kysely);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    await kysely.destroy();
    if (database.isOpen) database.close();
  }
}

async function patiently<T>(attempt: () => T): Promise<T> {
  for (let waited = 0; ; waited += 20) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waited >= MIGRATION_WAIT_MS) throw error;
      await sleep(20);
    }
  }
}

function isBusy(error: unknown): boolean {
  // The low byte is the primary code; SQLITE_BUSY_RECOVERY and _SNAPSHOT carry more above it.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

async function tryLock(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  clock: Clock,
): Promise<(() => Promise<void>) | null> {
  // A holder of its own for every hold: two callers in one process exclude each other too.
  const hold = `${holder}:${randomUUID()}`;
  const now = clock();
  const taken = await db
    .insertInto('locks')
    .values({ name, holder: hold, lease_until: now + LOCK_LEASE_MS })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: hold, lease_until: now + LOCK_LEASE_MS })
        .where('locks.lease_until', '<', now),
    )
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0n) === 0) return null;

  const renewal = setInterval(() => {
    db.updateTable('locks')
      .set({ lease_until: clock() + LOCK_LEASE_MS })
      .where('name', '=', name)
      .where('holder', '=', hold)
      .execute()
      // A renewal that fails is followed by another; the lease outlives two of them.
      .catch(() => undefined);
  }, LOCK_LEASE_MS / 3);
  renewal.unref();

  return async () => {
    clearInterval(renewal);
    await sql`delete from locks where name = ${name} and holder = ${hold}`.execute(db);
  };
}
