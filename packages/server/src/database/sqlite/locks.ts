/** Named locks as leased rows: the embedded database may be opened twice by one process, and a lock must end with its holder. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../common/index.ts';
import type { Tables } from '../tables.ts';

/** A lock whose holder died is free again after this; the holder renews it three times as often. */
const LOCK_LEASE_MS = 15_000;

/** @returns a release function, or null when another caller holds the lock */
export async function tryLock(
  db: Kysely<Tables>,
  name: string,
  clock: Clock,
): Promise<(() => Promise<void>) | null> {
  // A name of its own for every hold: two callers in one process exclude each other too.
  const hold = randomUUID();
  const now = clock();
  const taken = await db
    .insertInto('locks')
    .values({ name, holder: hold, lease_until: now + LOCK_LEASE_MS })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: hold, lease_until: now + LOCK_LEASE_MS })
        .where('locks.lease_until', '<', now),
    )
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0n) === 0) return null;

  const renewal = setInterval(() => {
    db.updateTable('locks')
      .set({ lease_until: clock() + LOCK_LEASE_MS })
      .where('name', '=', name)
      .where('holder', '=', hold)
      .execute()
      // A renewal that fails is followed by another; the lease outlives two of them.
      .catch(() => undefined);
  }, LOCK_LEASE_MS / 3);
  renewal.unref();

  return async () => {
    clearInterval(renewal);
    await sql`delete from locks where name = ${name} and holder = ${hold}`.execute(db);
  };
}
