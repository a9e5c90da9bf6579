/** The embedded backend: node:sqlite under Kysely, one connection that writes and one that only reads. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Kysely } from 'kysely';
import type { OpenedDatabase, OpenOptions } from '../adapter.ts';
import type { Tables } from '../tables.ts';
import { MOST_LOG_PAGES, startCheckpoints } from './checkpoints.ts';
import { watchDisk } from './disk.ts';
import { tryLock } from './locks.ts';
import { isBusy } from './result-codes.ts';
import { takeSnapshot } from './snapshot.ts';
import { queriesOver } from './statements.ts';

/** Of the database, in the data directory. */
export const FILE_NAME = 'state.sqlite';

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5_000;
/** How long a start waits for another process's migration. */
const MIGRATION_WAIT_MS = MINUTE_MS;

export async function openSqlite({ dataDir, clock, durable }: OpenOptions): Promise<OpenedDatabase> {
  const file = join(dataDir, FILE_NAME);
  const writer = await patiently(() => connect(file));
  if (!durable) writer.exec('PRAGMA synchronous = OFF');
  chmodSync(file, 0o600);
  const readOnly = connect(file, true);
  const disk = watchDisk(() => kysely);
  const kysely = queriesOver(writer, disk.met);
  const reader = queriesOver(readOnly);
  const checkpoints = startCheckpoints(file);

  return {
    kysely,
    reader,
    checkDisk: disk.check,
    scrub: checkpoints.scrub,
    snapshot: () => takeSnapshot(file),
    migrating: (run) => migrating(file, run),
    missingRights: async () => null,
    tryLock: (name) => tryLock(kysely, name, clock),
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
 * SQLite's own write lock, held over the whole migration by a connection of its own. It is tried again and again instead of waited for:
 * a blocking wait would stop the very event loop that another holder in this process needs to finish.
 */
async function migrating<T>(file: string, run: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const database = connect(file);
  database.exec('PRAGMA busy_timeout = 0');
  const kysely = queriesOver(database);
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
