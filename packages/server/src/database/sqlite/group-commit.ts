/**
 * Small transactions that share one commit. There is one writing connection and an fsync per commit (some 5 ms on a common disk), which
 * limits the total to two hundred a second; together they pay it once.
 */
import { type Kysely, sql } from 'kysely';
import { forThisRequest } from '../../common/index.ts';
import type { GroupCommit } from '../adapter.ts';
import type { Tables } from '../tables.ts';

type Queries = Kysely<Tables>;

/** Transactions per commit: their statements run one after the other, and everything else waits meanwhile. */
const MAX_GROUP = 16;

interface Waiting {
  readonly work: (trx: Queries) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit(kysely: Queries): GroupCommit {
  // Bounded by the requests under way, each of which waits for its own.
  const queue: Waiting[] = [];
  let running = false;

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    const settle: (() => void)[] = [];
    try {
      await kysely.transaction().execute(async (trx) => {
        for (const { work, resolve, reject } of group) {
          await sql`savepoint one`.execute(trx);
          try {
            const value = await work(trx);
            settle.push(() => resolve(value));
          } catch (error) {
            // A full disk has undone the whole group: then this error applies to all of them.
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
        // The group runs in the async context of the first caller.
        queue.push({ work: forThisRequest(work), resolve: resolve as (value: unknown) => void, reject });
        // Callers in the same turn of the event loop join it.
        if (!running) {
          running = true;
          setImmediate(() => void drain());
        }
      }),
  };
}
