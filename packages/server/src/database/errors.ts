/** Which errors say that the database is down or busy; all others are bugs. */
import { postgres } from './postgres/adapter.ts';
import { sqlite } from './sqlite/adapter.ts';

/** Kysely's own word for a database that is being closed. */
const CLOSED = 'driver has already been destroyed';

/** For those who have the error alone, and no database. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.startsWith(CLOSED) || sqlite.isAway(error) || postgres.isAway(error);
}
