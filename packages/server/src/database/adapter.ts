/**
 * All that differs between SQLite and PostgreSQL. Each database is one `DatabaseAdapter`, in a folder of its own; every other file writes one
 * text of SQL and asks the adapter for the few parts that can't be the same. `conformance.test.ts` holds both to what is said here.
 */
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Clock, Log } from '../common/index.ts';
import type { Tables } from './tables.ts';

type Queries = Kysely<Tables>;

export interface DatabaseAdapter {
  /** For libraries that need it. Our own code asks for what it needs instead, never for the name. */
  readonly name: 'sqlite' | 'postgres';
  /** Other nodes may use the database at the same time. False: one process has it for itself. */
  readonly isShared: boolean;

  open(options: OpenOptions): Promise<OpenedDatabase>;
  /** @returns what the person who starts the service can do about an error of `open` or of a migration; null: the error says it all */
  startSentence(error: unknown, options: Pick<OpenOptions, 'dataDir'>): string | null;

  /** For `$call`, in a transaction: no other transaction changes the rows that are read, or reads them in this way, until it ends. */
  forUpdate<Table extends keyof Tables, Output>(
    query: SelectQueryBuilder<Tables, Table, Output>,
  ): SelectQueryBuilder<Tables, Table, Output>;
  /** The same, but others may still insert rows that refer to these. */
  forNoKeyUpdate<Table extends keyof Tables, Output>(
    query: SelectQueryBuilder<Tables, Table, Output>,
  ): SelectQueryBuilder<Tables, Table, Output>;
  /** Ends a `select` inside an `update`: rows that another statement is taking at this moment are passed over, not waited for. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Until the transaction ends, every other one that asks for this name waits. For rows that may not exist yet. */
  lockName(trx: Queries, name: string): Promise<void>;

  /** What every row is called by itself, without a key: for `delete … where x in (select x … limit n)`. An update may change it. */
  readonly rowAddress: RawBuilder<unknown>;
  /** A list as a table `v` with one column `value` of JSON, for `from`: one short statement for any number of rows. */
  jsonItems(list: readonly unknown[]): RawBuilder<unknown>;
  /** The database's own clock in epoch microseconds: the same time everywhere in one statement. */
  readonly now: RawBuilder<number>;

  /** Columns of a table's primary key, in its order. */
  primaryKey(queries: Queries, table: keyof Tables): Promise<readonly string[]>;
  /** Columns by which a table is read in pages while others write: no two rows have the same values, and no update changes them. */
  pageKey(queries: Queries, table: keyof Tables): Promise<readonly string[]>;

  createGroupCommit(kysely: Queries): GroupCommit;

  /** The error says that the database is down or busy: the same statement may succeed a moment later. */
  isAway(error: Error): boolean;
  /** The error says that the database will never store these rows, however often they come: a value, a reference or a rule. */
  refusesRows(error: Error): boolean;
}

export interface OpenOptions {
  /** `postgres://…`; SQLite has its file in `dataDir` instead. */
  readonly url: string;
  /** Connections that PostgreSQL is asked for at most, besides those of locks. Default 10. */
  readonly poolSize?: number;
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** False: what SQLite has committed is on disk only after `close`. */
  readonly durable: boolean;
}

/** The connections to one database. */
export interface OpenedDatabase {
  /** Reads, writes and transactions. */
  readonly kysely: Queries;
  /** Reads that never wait behind an open transaction. On PostgreSQL it is `kysely` itself. */
  readonly reader: Queries;
  /**
   * Runs a function while no other process runs one of the same kind (migrations), before any table exists. The Kysely that it gets is
   * for this alone and closed afterwards.
   */
  migrating<T>(run: (db: Queries) => Promise<T>): Promise<T>;
  /** @returns a sentence for the person who starts the service when the error of a migration is one of rights; null: it is another error */
  missingRights(db: Queries, error: unknown): Promise<string | null>;
  /** @returns a release function, or null when another caller holds the lock */
  tryLock(name: string): Promise<(() => Promise<void>) | null>;
  /** Removes what was deleted from the log too. PostgreSQL's own vacuum and log do that. */
  scrub(): Promise<void>;
  /** What is committed now stays readable in it, whatever is written meanwhile. Null: it is in tables of a server. */
  snapshot(): Promise<DatabaseSnapshot | null>;
  /** @throws DatabaseUnwritable when a write failed because of the disk, and still would. PostgreSQL says so with each write */
  checkDisk(): Promise<void>;
  close(): Promise<void>;
}

/** The state database at one moment, for a backup. */
export interface DatabaseSnapshot {
  /** Name of the newest migration. */
  readonly migration: string;
  /** Writes it as files into a directory. @returns their names, and rows by table */
  writeTo(
    directory: string,
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly string[]; readonly tables: ReadonlyMap<string, number> }>;
  /** To be called in any case. */
  release(): Promise<void>;
}

/** Small transactions that share one commit, where that saves time. */
export interface GroupCommit {
  /**
   * Runs the work in a transaction, all or nothing, and resolves once it is on disk. What it throws undoes its own work alone.
   * @throws what the work throws; what the database throws, and then nothing was done
   */
  run<T>(work: (trx: Queries) => Promise<T>): Promise<T>;
}

/** The state database answers, but can't be written to. Its message may be shown to any caller. */
export class DatabaseUnwritable extends Error {
  constructor(options: { cause: unknown }) {
    super('The disk of the state database accepts no writes: it is full, read-only or failing.', options);
    this.name = 'DatabaseUnwritable';
  }
}
