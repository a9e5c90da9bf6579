/** What SQLite's errors say, by their primary result code: https://sqlite.org/rescode.html */
import { sqliteCode } from '../../common/index.ts';

const BUSY = 5;
/** Busy, locked, out of memory, read-only, input/output error, full, can't be opened. */
const AWAY = new Set([BUSY, 6, 7, 8, 10, 13, 14]);
/** Read-only, input/output error, full. */
const UNWRITABLE = new Set([8, 10, 13]);
/** Too big, constraint, mismatch. */
const REFUSED = new Set([18, 19, 20]);

export const isBusy = (error: unknown): boolean => sqliteCode(error) === BUSY;
export const isUnwritable = (error: unknown): boolean => UNWRITABLE.has(sqliteCode(error));
export const isAway = (error: Error): boolean =>
  AWAY.has(sqliteCode(error)) || error.message.startsWith('database is not open');
export const refusesRows = (error: Error): boolean => REFUSED.has(sqliteCode(error));
