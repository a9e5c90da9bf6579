/** What SQLite's errors mean for the spool. */
// Not by the room's door, which loads the schemas of the API: the spool's threads stay small.
import { sqliteCode } from '../../common/sqlite-code.ts';

/** SQLITE_FULL; or what the system says to a file beside it. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 13 || (error as { code?: unknown }).code === 'ENOSPC';
}

/** SQLITE_CORRUPT, SQLITE_NOTADB; and SQLITE_ERROR, of a schema that can't be read. */
export function isDamage(error: unknown): boolean {
  return [1, 11, 26].includes(sqliteCode(error));
}
