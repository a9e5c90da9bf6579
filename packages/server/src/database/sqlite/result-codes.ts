/** What SQLite's errors say, by their primary result code: https://sqlite.org/rescode.html */

const BUSY = 5;
/** Busy, locked, out of memory, read-only, input/output error, full, can't be opened. */
const AWAY = new Set([BUSY, 6, 7, 8, 10, 13, 14]);
/** Read-only, input/output error, full. */
const UNWRITABLE = new Set([8, 10, 13]);
/** Too big, constraint, mismatch. */
const REFUSED = new Set([18, 19, 20]);

/** The low byte: the extended codes (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT …) carry more above it. 0: no error of SQLite. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;
export const isUnwritable = (error: unknown): boolean => UNWRITABLE.has(codeOf(error));
export const isAway = (error: Error): boolean =>
  AWAY.has(codeOf(error)) || error.message.startsWith('database is not open');
export const refusesRows = (error: Error): boolean => REFUSED.has(codeOf(error));
