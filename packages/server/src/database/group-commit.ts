/**
 * Small transactions that share one commit. SQLite has one writing connection and an fsync per commit (some 5 ms on a common disk), which
 * bounds everybody to two hundred a second; together they pay it once. PostgreSQL commits in groups by itself: there each is its own.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

type Queries = Database['kysely'];

export interface GroupCommit {
  /**
   * Runs the work in a transaction, all or nothing, and resolves once it is on disk. What it throws undoes its own work alone.
   * @throws what the work throws; what the database throws, and then nothing was done
   */
  run<T>(work: (trx: Queries) => Promise<T>): Promise<T>;
}

/** Transactions per commit: their statements run one after the other, and everything else waits meanwhile. */
const MAX_GROUP = 16;

interface Waiting {
  readonly work: (trx: Queries) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit(database: Database): GroupCommit {
  if (database.dialect === 'postgres') return { run: (work) => database.kysely.transaction().execute(work) };
  // Bounded by the requests under way, each of which waits for its own.
  const queue: Waiting[] = [];
  let running = false;

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    const settle: (() => void)[] = [];
    try {
      await database.kysely.transaction().execute(async (trx) => {
        for (const { work, resolve, reject } of group) {
          await sql`savepoint one`.execute(trx);
          try {
            const value = await work(trx);
            settle.push(() => resolve(value));
          } catch (error) {
            // A full disk has undone the whole group: then this error is everybody's.
            await sql`rollback to one`.execute(trx).catch(() => {
              throw error;
            });
            settle.push(() => reject(error));
          }
          await sql`release one`.execute(trx);
        }
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const tell of settle) tell();
  };

  const drain = async (): Promise<void> => {
    running = true;
    while (queue.length > 0) await commit(queue.splice(0, MAX_GROUP));
    running = false;
  };

  return {
    run: <T>(work: (trx: Queries) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
        // Whoever asks in the same turn of the event loop comes along.
        if (!running) {
          running = true;
          setImmediate(() => void drain());
        }
      }),
  };
}
