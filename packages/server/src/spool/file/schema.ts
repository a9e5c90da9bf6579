/**
 * The tables of the spool's file, and the form of a chunk.
 *
 * - `chunks`: rows as they will be inserted, many to a chunk. `upload` set: staged, invisible to the shipper. `batch` set: handed to the
 *   shipper. Their bytes (joined JSONEachRow lines) are in `bodies`: SQLite rewrites a whole row on UPDATE, and a chunk changes hands
 *   without its bytes being touched.
 * - `batches`: a batch's random id, durable before its first insert, so that a restart can ask the warehouse about it.
 * - `seen`: 16-byte digests of deduplication keys, 48 h. `staged_keys`: those of uploads not yet committed.
 * - `uploads`: digests of whole log push batches, 48 h.
 * - `counters`: the conservation law, changed in the transaction that makes it true.
 * - `quarantine`: rejected input, until it is collected. `probe`: empty, see `upkeep.ts`.
 */
import { crc32 } from 'node:zlib';

/** Changes with the tables below. 1: chunks without checksums; brought up when it is opened. */
export const FORMAT_VERSION = 2;
const READABLE: ReadonlySet<number> = new Set([0, 1, FORMAT_VERSION]);

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, month TEXT NOT NULL, rows INTEGER NOT NULL, size INTEGER NOT NULL,
  at INTEGER NOT NULL, upload INTEGER, batch TEXT, sum INTEGER NOT NULL, seal INTEGER NOT NULL) STRICT;
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

/** A chunk without its bytes. */
export interface SealedChunk {
  readonly month: string;
  readonly rows: number;
  readonly size: number;
  readonly at: number;
  readonly batch: string | null;
  /** crc32 of its bytes. */
  readonly sum: number;
}

/** Checksum of everything that is said of a chunk, so that a change of any of it is seen. */
export function sealOf({ month, rows, size, at, batch, sum }: SealedChunk): number {
  return crc32(`${month}|${rows}|${size}|${at}|${batch ?? ''}|${sum}`);
}

/**
 * A file of a version that this one can't read holds acknowledged hits: better to refuse than to guess.
 * @param isFlipped whether a single bit made the number what it is
 */
export function checkVersion(version: number | null, isFlipped: () => boolean): void {
  if (version === null || READABLE.has(version) || isFlipped()) return;
  throw new Error(
    `it has format ${version}, and this Ghostlight reads ${FORMAT_VERSION}. Drain it with the version that wrote it ("ghostlight spool drain"), then start this one.`,
  );
}
