/** Opens the state database. The only place that chooses between SQLite in the data directory and PostgreSQL; what differs asks the adapter. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Kysely, sql } from 'kysely';
import { type Clock, StartError } from '../common/index.ts';
import type {
  DatabaseAdapter,
  DatabaseSnapshot,
  GroupCommit,
  OpenedDatabase,
  OpenOptions,
} from './adapter.ts';
import { migrateToLatest } from './migrations/migrate.ts';
import { postgres } from './postgres/adapter.ts';
import { sqlite } from './sqlite/adapter.ts';
import type { Tables } from './tables.ts';

/** How long `underLock` waits for its turn, and how often it asks. */
const LOCK_WAIT_MS = MINUTE_MS;
const LOCK_POLL_MS = 100;

export interface Database {
  /**
   * Writes, transactions, and reads that belong to them. On SQLite there is one writing connection: inside a transaction await nothing
   * but the database, or all others wait too.
   */
  readonly kysely: Kysely<Tables>;
  /** Reads that never wait behind an open transaction; sees everything committed. */
  readonly reader: Kysely<Tables>;
  /** The parts of statements and errors that differ between databases. */
  readonly adapter: DatabaseAdapter;
  /** One round trip. @throws when the database does not answer; DatabaseUnwritable when its disk takes no writes */
  ping(): Promise<void>;
  /** Brings the tables to this version; `openDatabase` has already done so. Safe on many nodes at once. @throws when one fails */
  migrate(): Promise<void>;
  /** Runs the function while this caller alone, over all nodes, holds the lock. @returns false, at once, when another caller holds it */
  withLock(name: string, run: () => Promise<void>): Promise<boolean>;
  /** The same, but waits for its turn (at most a minute). @throws when the turn does not come */
  underLock<T>(name: string, run: () => Promise<T>): Promise<T>;
  /**
   * SQLite: gives the log back, which still contains deleted rows; in the file it is overwritten with zeros.
   * @throws when a reader never pauses
   */
  scrub(): Promise<void>;
  /** All that is committed now, for a backup. Null: it is in tables of a server. */
  snapshot(): Promise<DatabaseSnapshot | null>;
  close(): Promise<void>;
}

export interface DatabaseOptions extends Omit<OpenOptions, 'url' | 'clock' | 'durable'> {
  /** `postgres://…`, or null: SQLite in `dataDir`. */
  readonly url: string | null;
  readonly clock?: Clock;
  /** Default true. False: what SQLite has committed is on disk only after `close`; for data that can be rebuilt. */
  readonly durable?: boolean;
  /** Default true. False: its tables stay as they are, of whichever version. */
  readonly migrates?: boolean;
}

/** Opens and migrates. @throws when the database can't be reached or a migration fails */
export async function openDatabase({
  url,
  clock = Date.now,
  durable = true,
  migrates = true,
  ...options
}: DatabaseOptions): Promise<Database> {
  const adapter = url === null ? sqlite : postgres;
  try {
    const database = over(adapter, await adapter.open({ ...options, url: url ?? '', clock, durable }));
    try {
      if (migrates) await database.migrate();
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  } catch (error) {
    const sentence = adapter.startSentence(error, options);
    if (error instanceof StartError || sentence === null) throw error;
    throw new StartError(sentence, { cause: error });
  }
}

/** @returns transactions that share commits where the database has one writer */
export const createGroupCommit = ({ adapter, kysely }: Database): GroupCommit =>
  adapter.createGroupCommit(kysely);

function over(adapter: DatabaseAdapter, opened: OpenedDatabase): Database {
  let closing: Promise<void> | undefined;
  return {
    kysely: opened.kysely,
    reader: opened.reader,
    adapter,
    async ping() {
      await sql`select 1`.execute(opened.reader);
      await opened.checkDisk();
    },
    migrate: () => opened.migrating((db) => migrateToLatest(db, opened)),
    async withLock(name, run) {
      const release = await opened.tryLock(name);
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
      let release = await opened.tryLock(name);
      while (release === null) {
        if (performance.now() > deadline)
          throw new Error(`The lock ${name} was not released within a minute.`);
        await sleep(LOCK_POLL_MS);
        release = await opened.tryLock(name);
      }
      try {
        return await run();
      } finally {
        await release();
      }
    },
    scrub: opened.scrub,
    snapshot: opened.snapshot,
    close() {
      closing ??= opened.close();
      return closing;
    },
  };
}

/** Kysely's own word for a database that is being closed. */
const CLOSED = 'driver has already been destroyed';

/** Whether an error says that the database is down or busy; all others are bugs. For callers that have no database at hand. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.startsWith(CLOSED) || sqlite.isAway(error) || postgres.isAway(error);
}
