/**
 * The spool's file: SQLite in WAL mode with `synchronous=FULL`, so that a COMMIT that returned is on disk. Synchronous and single-threaded:
 * it lives in the worker. This module knows the tables, transactions and space; what is done with them stands beside it.
 *
 * - `chunks`: rows as they will be inserted, many to a chunk. `upload` set: staged, invisible to the shipper. `batch` set: handed to the
 *   shipper. Their bytes (joined JSONEachRow lines) stand in `bodies`: SQLite rewrites a whole row on UPDATE, and a chunk changes hands
 *   without its bytes being touched.
 * - `batches`: a batch's random id, durable before its first insert, so that a restart can ask the warehouse about it.
 * - `seen`: 16-byte digests of deduplication keys, 48 h. `staged_keys`: those of uploads not yet committed.
 * - `uploads`: digests of whole log push batches, 48 h.
 * - `counters`: the conservation law, changed in the transaction that makes it true.
 * - `quarantine`: rejected input, until it is collected. `probe`: empty, see `upkeep.ts`.
 */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CounterDelta, Gauges, PackedChunk } from './messages.ts';

/** Redeliveries come within this time. */
export const REMEMBER_MS = 48 * 3_600_000;

/** Measured with 100-hit posts: 4 KiB 438,000 rows/s, 8 KiB 572,000, 16 KiB 376,000; keys want small pages, chunks large ones. */
const PAGE_BYTES = 8192;
const LOCK_WAIT_MS = 2_000;
/** Written back at this size of the log. Measured, p99 of 64 single hits with keys: 8 MiB 7.6 ms, 32 MiB 9.8 ms; less costs throughput. */
const LOG_BYTES = 8 * 1024 * 1024;
/** Keys are random: without room for their pages in memory each costs a read. */
const CACHE_KIB = 64 * 1024;

/** Given up when the disk is full, so that the shipper can do the book-keeping by which room is made again. */
const RESERVE_BYTES = 1024 * 1024;
const RESERVE_PAGES = 64;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, month TEXT NOT NULL, rows INTEGER NOT NULL, size INTEGER NOT NULL,
  at INTEGER NOT NULL, upload INTEGER, batch TEXT) STRICT;
CREATE INDEX IF NOT EXISTS chunks_ready ON chunks (id) WHERE upload IS NULL AND batch IS NULL;
CREATE INDEX IF NOT EXISTS chunks_upload ON chunks (upload) WHERE upload IS NOT NULL;
CREATE INDEX IF NOT EXISTS chunks_batch ON chunks (batch) WHERE batch IS NOT NULL;
CREATE TABLE IF NOT EXISTS bodies (
  chunk INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS batches (
  id TEXT PRIMARY KEY, month TEXT NOT NULL, rows INTEGER NOT NULL, attempt INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS seen (key BLOB PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS staged_keys (
  upload INTEGER NOT NULL, key BLOB NOT NULL, chunk INTEGER NOT NULL, line INTEGER NOT NULL, label TEXT NOT NULL,
  PRIMARY KEY (upload, key)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS uploads (
  scope TEXT NOT NULL, hex TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (scope, hex)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS quarantine (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, organization TEXT NOT NULL, attribution TEXT, endpoint TEXT NOT NULL,
  reason TEXT NOT NULL, field TEXT, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS quarantine_organization ON quarantine (organization, number);
`;

export interface FileOptions {
  readonly maxBytes: number;
  /** A real "disk full" for tests. */
  readonly maxPages: number | undefined;
  /** See `SpoolOptions`. */
  readonly durable: boolean;
}

/** Changes with the tables below. */
const FORMAT_VERSION = 1;

export class SpoolFile {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxPages: number | undefined;
  readonly #synchronous: 'FULL' | 'OFF';
  #slice = 0;
  readonly #statements = new Map<string, StatementSync>();
  /** Counters changed since the last `takeChanged`, with their new values. */
  #changed = new Map<string, number>();

  /** Opens or makes the file; what an earlier process had only staged is gone. @throws when another owner has it open */
  constructor(path: string, { maxBytes, maxPages, durable }: FileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxPages = maxPages;
    this.#synchronous = durable ? 'FULL' : 'OFF';
    this.#db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    try {
      this.#open();
    } catch (error) {
      // The thread ends a moment later; until then the file would stay locked.
      this.#db.close();
      throw error;
    }
  }

  #open(): void {
    // One owner: a second one would delete what the first has staged, and both would count.
    this.#db.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${this.#synchronous}; PRAGMA foreign_keys = ON;`,
    );
    // The log counts against the cap, and must never fill it by itself.
    const logBytes = Math.min(LOG_BYTES, this.#maxBytes / 8);
    this.#db.exec(
      `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${Math.ceil(logBytes / PAGE_BYTES)}; PRAGMA journal_size_limit = ${Math.ceil(logBytes)};`,
    );
    this.#limitPages(0);
    this.#checkVersion();
    // In one transaction: a kill in the midst of the first start must not leave tables without their version.
    this.#db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${FORMAT_VERSION}; COMMIT;`);
    this.#db.exec('DELETE FROM staged_keys; DELETE FROM chunks WHERE upload IS NOT NULL; DELETE FROM probe;');
    this.reserve();
  }

  /** A file of a version that this one can't read holds acknowledged hits: better to refuse than to guess. */
  #checkVersion(): void {
    const version = this.#pragma('user_version');
    const isNew = this.#pragma('page_count') <= 1 && version === 0;
    if (version === FORMAT_VERSION || isNew) return;
    throw new Error(
      `it has format ${version}, and this Ghostlight reads ${FORMAT_VERSION}. Drain it with the version that wrote it ("ghostlight spool drain"), then start this one.`,
    );
  }

  /** All or nothing, and on disk when it returns. */
  transaction<T>(work: () => T): T {
    const before = new Map(this.#changed);
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#changed = before;
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * The same without an fsync, for what only a later `transaction` will make count: its fsync covers the whole log before it.
   */
  stagingTransaction<T>(work: () => T): T {
    this.#db.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      this.#db.exec(`PRAGMA synchronous = ${this.#synchronous}`);
    }
  }

  /** The same for what makes room: on a full disk it may use the reserve. */
  freeingTransaction<T>(work: () => T): T {
    try {
      return this.transaction(work);
    } catch (error) {
      if (!/full/i.test(String(error))) throw error;
      rmSync(`${this.#path}-reserve`, { force: true });
      this.#limitPages(RESERVE_PAGES);
      return this.transaction(work);
    }
  }

  /** Prepared once, kept for good. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** @returns the chunk's id; 0 when it has no rows and is not written */
  insertChunk(
    { month, rows, body }: PackedChunk,
    owner: { at: number; upload?: number; batch?: string },
  ): number {
    if (rows === 0) return 0;
    const { lastInsertRowid } = this.statement(
      'INSERT INTO chunks (month, rows, size, at, upload, batch) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(month, rows, body.length, owner.at, owner.upload ?? null, owner.batch ?? null);
    this.statement('INSERT INTO bodies (chunk, body) VALUES (?, ?)').run(lastInsertRowid, body);
    return Number(lastInsertRowid);
  }

  count(deltas: readonly CounterDelta[]): void {
    const add = this.statement(
      'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value',
    );
    for (const [name, delta] of deltas) {
      this.#changed.set(name, (add.get(name, delta) as { value: number }).value);
    }
  }

  /** All counters, for the start. */
  counters(): [string, number][] {
    const rows = this.statement('SELECT name, value FROM counters').all();
    return (rows as unknown as { name: string; value: number }[]).map(({ name, value }) => [name, value]);
  }

  takeChanged(): [string, number][] {
    const changed = [...this.#changed];
    this.#changed = new Map();
    return changed;
  }

  gauges(): Gauges {
    const gauges = this.#measure();
    // Near the cap the log must not be what keeps intake shut.
    if (gauges.bytes < this.#maxBytes * 0.85 || this.#logBytes() < this.#maxBytes / 32) return gauges;
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return this.#measure();
  }

  #logBytes(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  #measure(): Gauges {
    const pages = this.#pragma('page_count') - this.#pragma('freelist_count');
    const oldest = this.statement('SELECT at FROM chunks WHERE upload IS NULL ORDER BY id LIMIT 1').get();
    return {
      bytes: pages * this.#pragma('page_size') + this.#logBytes(),
      oldestAt: (oldest as { at: number } | undefined)?.at ?? null,
    };
  }

  /** Counts round and round. */
  nextSlice(slices: number): number {
    this.#slice = (this.#slice + 1) % slices;
    return this.#slice;
  }

  /** Gives the log's space back to the file system and, where there is room again, takes back the reserve. */
  checkpoint(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#limitPages(0);
    this.reserve();
  }

  reserve(): void {
    const path = `${this.#path}-reserve`;
    if (existsSync(path)) return;
    try {
      writeFileSync(path, new Uint8Array(RESERVE_BYTES), { mode: 0o600 });
    } catch {
      // The disk is full now; the next checkpoint tries again.
      rmSync(path, { force: true });
    }
  }

  close(): void {
    this.#db.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }

  #limitPages(more: number): void {
    if (this.#maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${this.#maxPages + more}`);
  }

  #pragma(name: string): number {
    return Number(Object.values(this.statement(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  }
}
