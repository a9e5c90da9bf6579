/**
 * The spool's file: SQLite in WAL mode with `synchronous=FULL`, so that a COMMIT that returned is on disk. Synchronous and single-threaded:
 * it lives in the worker. This module knows transactions and space; its tables are in `schema.ts`, what is done with them is in its neighbours.
 * The worker answers one message after the other, with no cursor left open, so that the log can always be written back.
 *
 * Next to it are `-mark`, `-ledger` and `-sums`, by which damage is detected and duplicates are avoided (`integrity/`, docs/decisions/0013), and
 * `-lock`, which an owner holds before anything else is looked at.
 */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { CounterDelta, Gauges, PackedChunk } from '../port.ts';
import type { Damage } from '../types.ts';
import { isDamage, isFull } from './errors.ts';
import { Aside } from './integrity/aside.ts';
import { type Inspection, inspect, versionOf } from './integrity/inspect.ts';
import { Ledger, type Step } from './integrity/ledger.ts';
import { MarkFile, type ReadMark } from './integrity/mark.ts';
import { PageSums } from './integrity/page-sums.ts';
import { salvage } from './integrity/salvage.ts';
import { checkVersion, FORMAT_VERSION, SCHEMA, type SealedChunk, sealOf } from './schema.ts';
import { WriteBack } from './write-back.ts';

/** Measured with 100-hit posts: 4 KiB 438,000 rows/s, 8 KiB 572,000, 16 KiB 376,000; keys want small pages, chunks large ones. */
const PAGE_BYTES = 8192;
const LOCK_WAIT_MS = 2_000;
/** Keys are random: without room for their pages in memory each costs a read. */
const CACHE_KIB = 64 * 1024;

/** Given up when the disk is full, so that the shipper can do the book-keeping by which room is made again. */
const RESERVE_BYTES = 1024 * 1024;
const RESERVE_PAGES = 64;

export interface FileOptions {
  readonly maxBytes: number;
  /** A real "disk full" for tests. */
  readonly maxPages: number | undefined;
  /** See `SpoolOptions`. */
  readonly durable: boolean;
  /** See `SpoolOptions`. */
  readonly secureDelete?: boolean;
}

/** A moment of the file, to be copied. */
export interface FilePin {
  readonly path: string;
  readonly fileBytes: number;
  /** 0: the file alone is what was committed. */
  readonly logBytes: number;
  /** Rows that no store has confirmed. */
  readonly waiting: number;
  readonly counters: readonly (readonly [string, number])[];
}

/** Number of the last commit, among the counters. */
const COMMITS = 'commits';

export class SpoolFile {
  #db: DatabaseSync;
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxPages: number | undefined;
  readonly #secureDelete: boolean;
  readonly #synchronous: 'FULL' | 'OFF';
  readonly #log: WriteBack;
  #slice = 0;
  readonly #statements = new Map<string, StatementSync>();
  /** Counters changed since the last `takeChanged`, with their new values. */
  #changed = new Map<string, number>();
  #counters = new Map<string, number>();
  /** What the transaction under way changes of both. */
  #counting = new Map<string, number>();
  #steps: Step[] = [];
  readonly #damages: Damage[] = [];
  #commit = 0;
  readonly #lock: DatabaseSync;
  readonly #markFile: MarkFile;
  readonly ledger: Ledger;
  readonly aside: Aside;
  /** What was found before the file was opened, and the mark as it was. */
  readonly inspection: Inspection;
  readonly mark: ReadMark;
  /** The file could not be read as it was; this one holds what could be read of it. */
  readonly salvaged: boolean;

  /** Opens or makes the file; what an earlier process had only staged is gone. @throws when another owner has it open */
  constructor(path: string, { maxBytes, maxPages, durable, secureDelete = false }: FileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxPages = maxPages;
    this.#secureDelete = secureDelete;
    this.#synchronous = durable ? 'FULL' : 'OFF';
    // One owner: a second one would delete what the first has staged, and both would count.
    this.#lock = takeLock(`${path}-lock`);
    const opened: { close(): void }[] = [this.#lock];
    try {
      const sums = new PageSums(`${path}-sums`, PAGE_BYTES);
      checkVersion(versionOf(path), () => sums.mendsFirstPage(path));
      this.#markFile = new MarkFile(`${path}-mark`, durable);
      opened.push(this.#markFile);
      this.ledger = new Ledger(`${path}-ledger`, durable);
      opened.push(this.ledger);
      this.aside = new Aside(path);
      this.mark = this.#markFile.read();
      const { mark, aside } = this;
      this.inspection = inspect({ path, pageSize: PAGE_BYTES, sums, mark, aside, now: Date.now() });
      this.#log = new WriteBack({
        ...{ path, pageSize: PAGE_BYTES, maxBytes, durable, sums, ledger: this.ledger },
        statement: (sql) => this.statement(sql),
      });
      this.#db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
      this.salvaged = this.#openOrSalvage();
      opened.push(this.#db);
      this.#prepare();
    } catch (error) {
      // The thread ends a moment later; until then the file would stay locked.
      for (const part of opened.reverse()) part.close();
      throw error;
    }
  }

  /** @returns whether the file had to be rebuilt from what could be read */
  #openOrSalvage(): boolean {
    const { badPages, sumsUnknown } = this.inspection;
    const isNew = !existsSync(this.#path) || statSync(this.#path).size === 0;
    try {
      this.#connect();
      if (isNew || (badPages.length === 0 && !sumsUnknown)) return false;
      const [first] = this.#db.prepare('PRAGMA integrity_check(1)').all();
      if (Object.values(first ?? {})[0] === 'ok') return false;
    } catch (error) {
      if (isDamage(error)) return this.#salvage();
      this.#db.close();
      throw error;
    }
    return this.#salvage();
  }

  #salvage(): true {
    this.#db.close();
    if (this.inspection.keptIn === null) this.aside.keep(Date.now());
    salvage(this.#path, PAGE_BYTES, SCHEMA, FORMAT_VERSION);
    this.#db = new DatabaseSync(this.#path, { timeout: LOCK_WAIT_MS });
    this.#connect();
    return true;
  }

  #connect(): void {
    this.#db.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${this.#synchronous}; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ${this.#secureDelete ? 'ON' : 'OFF'};`,
    );
    // Written back by `#writeBack` alone: the page sums follow it.
    this.#db.exec(
      `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${this.#log.sizeLimit};`,
    );
    this.#limitPages(0);
    checkVersion(Number(Object.values(this.#db.prepare('PRAGMA user_version').get() ?? {})[0]), () => false);
  }

  #prepare(): void {
    // In one transaction: a kill in the midst of the first start must not leave tables without their version.
    this.#db.exec('BEGIN IMMEDIATE');
    if (this.#pragma('user_version') === 1) this.#addSums();
    this.#db.exec(`${SCHEMA} PRAGMA user_version = ${FORMAT_VERSION}; COMMIT;`);
    this.#db.exec('DELETE FROM staged_keys; DELETE FROM chunks WHERE upload IS NOT NULL; DELETE FROM probe;');
    this.#counters = new Map(this.counters());
    this.#commit = this.#counters.get(COMMITS) ?? 0;
    this.reserve();
    // From here on the file changes.
    this.#log.open();
  }

  /** The earlier format: chunks without checksums. */
  #addSums(): void {
    this.#db.exec(
      'ALTER TABLE chunks ADD COLUMN sum INTEGER NOT NULL DEFAULT 0; ALTER TABLE chunks ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;',
    );
    const ids = this.#db.prepare('SELECT id FROM chunks').all() as { id: number }[];
    for (const { id } of ids) {
      const chunk = this.#db.prepare('SELECT * FROM chunks JOIN bodies ON chunk = id WHERE id = ?').get(id);
      const row = { ...(chunk as unknown as SealedChunk), sum: crc32((chunk as { body: Uint8Array }).body) };
      this.#db.prepare('UPDATE chunks SET sum = ?, seal = ? WHERE id = ?').run(row.sum, sealOf(row), id);
    }
  }

  /** All or nothing, and on disk when it returns. */
  transaction<T>(work: () => T): T {
    const result = this.#transact(work);
    this.#writeMark();
    this.#log.writeBackIfLong();
    return result;
  }

  #transact<T>(work: () => T): T {
    this.#counting = new Map();
    this.#steps = [];
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      const commit = this.#commit + 1;
      this.statement('INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)').run(COMMITS, commit);
      if (this.#steps.length > 0) this.ledger.write(commit, this.#steps);
      this.#db.exec('COMMIT');
      this.#commit = commit;
      this.#counters.set(COMMITS, commit);
      for (const [name, value] of this.#counting) {
        this.#changed.set(name, value);
        this.#counters.set(name, value);
      }
      return result;
    } catch (error) {
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
      return this.#transact(work);
    } finally {
      this.#db.exec(`PRAGMA synchronous = ${this.#synchronous}`);
      this.#log.writeBackIfLong();
    }
  }

  /** The same for what makes room: on a full disk it may use the reserve. */
  freeingTransaction<T>(work: () => T): T {
    try {
      return this.transaction(work);
    } catch (error) {
      if (!isFull(error)) throw error;
      rmSync(`${this.#path}-reserve`, { force: true });
      this.#limitPages(RESERVE_PAGES);
      return this.transaction(work);
    }
  }

  /** Part of the transaction under way: noted in the ledger before it is committed. */
  step(step: Step): void {
    this.#steps.push(step);
  }

  /** For a recovery: makes these the counters, and goes on behind the given commit. */
  restoreCounters(counters: readonly (readonly [string, number])[], commit: number): void {
    this.#commit = Math.max(commit, this.#commit);
    this.transaction(() => {
      for (const name of [...this.#counters.keys()]) this.#counting.set(name, 0);
      this.statement('DELETE FROM counters').run();
      for (const [name, value] of counters) {
        if (name === COMMITS) continue;
        this.statement('INSERT INTO counters (name, value) VALUES (?, ?)').run(name, value);
        this.#counting.set(name, value);
      }
    });
  }

  /** After a recovery: the files next to it are about this one. */
  settle(): void {
    this.#log.rebuildSums();
    this.checkpoint();
    this.#markFile.writeBoth(this.#commit, [...this.#counters]);
  }

  get commitNumber(): number {
    return this.#commit;
  }

  #writeMark(): void {
    // In the midst of a recovery the mark still tells what is missing.
    if (this.#commit <= (this.mark.mark?.commit ?? 0)) return;
    try {
      this.#markFile.write(this.#commit, this.#counters);
    } catch {
      // Its room is taken since it was made; what else a disk may say comes up where it counts.
    }
  }

  /** Prepared once, kept until the end. */
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
    const chunk = {
      month,
      rows,
      size: body.length,
      at: owner.at,
      batch: owner.batch ?? null,
      sum: crc32(body),
    };
    const { lastInsertRowid } = this.statement(
      'INSERT INTO chunks (month, rows, size, at, upload, batch, sum, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(month, rows, chunk.size, chunk.at, owner.upload ?? null, chunk.batch, chunk.sum, sealOf(chunk));
    this.statement('INSERT INTO bodies (chunk, body) VALUES (?, ?)').run(lastInsertRowid, body);
    return Number(lastInsertRowid);
  }

  count(deltas: readonly CounterDelta[]): void {
    const add = this.statement(
      'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value',
    );
    for (const [name, delta] of deltas) {
      this.#counting.set(name, (add.get(name, delta) as { value: number }).value);
    }
  }

  /** As of the last commit. */
  counter(name: string): number {
    return this.#counters.get(name) ?? 0;
  }

  /** All counters, for the start. */
  counters(): [string, number][] {
    const rows = this.statement('SELECT name, value FROM counters').all();
    return (rows as unknown as { name: string; value: number }[]).map(({ name, value }) => [name, value]);
  }

  /** Tells of damage, on disk and in the next answer. */
  report(found: Omit<Damage, 'spool'>): Damage {
    const damage = this.aside.report(found);
    this.#damages.push(damage);
    return damage;
  }

  takeDamages(): Damage[] {
    return this.#damages.splice(0);
  }

  takeChanged(): [string, number][] {
    const changed = [...this.#changed];
    this.#changed = new Map();
    return changed;
  }

  gauges(): Gauges {
    const gauges = this.#measure();
    // Near the cap the log must not be what keeps intake shut.
    if (gauges.bytes < this.#maxBytes * 0.85 || this.#log.bytes() < this.#maxBytes / 32) return gauges;
    this.#log.truncate();
    return this.#measure();
  }

  #measure(): Gauges {
    const pages = this.#pragma('page_count') - this.#pragma('freelist_count');
    const oldest = this.statement('SELECT at FROM chunks WHERE upload IS NULL ORDER BY id LIMIT 1').get();
    return {
      bytes: pages * this.#pragma('page_size') + this.#log.bytes(),
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
    this.#log.truncate();
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

  /** What the file holds now stays in these bytes of it and its log until `unpin`, whatever is taken meanwhile. */
  pin(): FilePin {
    this.#log.held = true;
    const logBytes = this.#log.neededBytes();
    const [{ rows }] = this.statement(
      'SELECT coalesce(sum(rows), 0) AS rows FROM chunks WHERE upload IS NULL',
    ).all() as [{ rows: number }];
    const fileBytes = statSync(this.#path).size;
    return { path: this.#path, fileBytes, logBytes, waiting: rows, counters: [...this.#counters] };
  }

  /** @returns false: it was not held; the thread has begun again since, and what was copied may not fit together */
  unpin(): boolean {
    const { held } = this.#log;
    this.#log.held = false;
    return held;
  }

  close(): void {
    try {
      this.#db.exec('PRAGMA synchronous = FULL');
      this.#log.close();
    } finally {
      this.#markFile.close();
      this.ledger.close();
      this.#db.close();
      this.#lock.close();
    }
  }

  #limitPages(more: number): void {
    if (this.#maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${this.#maxPages + more}`);
  }

  #pragma(name: string): number {
    return Number(Object.values(this.statement(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  }
}

/** @throws when another process has it; held until it is closed, or its process ends */
function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}
