/**
 * Deliveries whose destination is deleted, by itself or with its property, come to an end: those that wait are skipped, those that a
 * platform has acknowledged are delivered, since nobody can ask about them any more. What is under way right now ends by itself, and is
 * looked at again each minute.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../database/index.ts';
import { SKIP_REASONS } from '../destinations/index.ts';
import type { Clock } from '../kit/index.ts';
import type { LetGo } from './personal.ts';
import { isDue } from './states.ts';

/** Rows per transaction: a longer one would keep conversions waiting on SQLite. */
const STEP = 500;

/** @param destinationIds deleted ones; left out: all deleted ones that still have open deliveries */
export type CloseDeliveries = (destinationIds?: readonly string[]) => Promise<void>;

export function createClosing({
  database,
  letGo,
  clock,
}: {
  database: Database;
  letGo: LetGo;
  clock: Clock;
}): CloseDeliveries {
  const step = (id: string, end: (typeof ENDS)[number]): Promise<number> =>
    database.kysely.transaction().execute(async (trx) => {
      const { from, ...columns } = end;
      const at = clock();
      const closed = await trx
        .updateTable('deliveries')
        .set({ ...columns, lease: null, lease_until: null, next_at: null, updated_at: at, settled_at: at })
        .where('id', 'in', (query) =>
          query
            .selectFrom('deliveries')
            .select('id')
            .where('destination_id', '=', id)
            .where(isDue())
            .where('state', 'in', from)
            .limit(STEP),
        )
        .returning('conversion_row')
        .execute();
      await letGo(
        trx,
        closed.map(({ conversion_row }) => conversion_row),
      );
      return closed.length;
    });

  return async (destinationIds) => {
    const ids = destinationIds ?? (await deletedWithOpen(database));
    for (const id of ids) for (const end of ENDS) while ((await step(id, end)) === STEP) await turn();
  };
}

const ENDS = [
  {
    from: ['pending', 'retry'],
    state: 'skipped',
    reason: 'destination_deleted',
    message: SKIP_REASONS.destination_deleted,
  },
  {
    from: ['accepted_async'],
    state: 'delivered',
    reason: null,
    message: 'The platform had acknowledged it; the destination was deleted before it said more.',
  },
] as const;

/** Looked at each minute; deleting hundreds at once is nobody's habit. */
const MAX_AT_ONCE = 500;

async function deletedWithOpen({ reader }: Database): Promise<string[]> {
  const rows = await reader
    .selectFrom('destinations')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.destination_id', '=', 'destinations.id')
          .where(isDue()),
      ),
    )
    .limit(MAX_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}
