/**
 * The primary result code of an error of SQLite: https://sqlite.org/rescode.html. It is the low byte; extended codes
 * (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT …) carry more above it. 0: no error of SQLite.
 */
export const sqliteCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
