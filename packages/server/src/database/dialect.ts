/** What the two dialects must each bring; everything above this line of the house is the same SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface DialectTwin {
  readonly dialect: 'sqlite' | 'postgres';
  /** Reads, writes and transactions. */
  readonly kysely: Kysely<Tables>;
  /** Reads that never wait behind an open transaction. On PostgreSQL it is `kysely` itself. */
  readonly reader: Kysely<Tables>;
  /** What was deleted leaves the log too. PostgreSQL: its own vacuum and log do that */
  scrub(): Promise<void>;
  /** @throws DatabaseUnwritable when a write failed for want of a disk, and still would. PostgreSQL says so itself */
  checkDisk(): Promise<void>;
  /**
   * Runs a function while no other process runs one of the same kind (migrations), before any table stands. The Kysely that it gets is
   * for this alone and closed afterwards.
   */
  migrating<T>(run: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** @returns a release function, or null when somebody else holds the lock */
  tryLock(name: string): Promise<(() => Promise<void>) | null>;
  close(): Promise<void>;
}
