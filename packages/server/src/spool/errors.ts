// Not by the room's door, which loads the schemas of the API: the spool's threads stay small.
import { sqliteCode } from '../common/sqlite-code.ts';

/** The spool's file can't be opened at the start; the sentence says why and what to do. */
export class SpoolOpenError extends Error {
  constructor(path: string, options: { cause: unknown }) {
    const reason = options.cause instanceof Error ? options.cause.message : String(options.cause);
    super(`The spool ${path} could not be opened: ${reason}`, options);
    this.name = 'SpoolOpenError';
  }
}

/** The disk said no: nothing of the request was taken, the sender should come again. Answered 503. */
export class SpoolWriteError extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`The spool could not write: ${reason}`, options);
    this.name = 'SpoolWriteError';
  }
}

/** SQLITE_FULL; or what the system says to a file beside it. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 13 || (error as { code?: unknown }).code === 'ENOSPC';
}

/** SQLITE_CORRUPT, SQLITE_NOTADB; and SQLITE_ERROR, of a schema that can't be read. */
export function isDamage(error: unknown): boolean {
  return [1, 11, 26].includes(sqliteCode(error));
}
