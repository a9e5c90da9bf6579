/** How a property's destinations do: what waits, and what became of the deliveries of a day. */

import { DAY_MS } from '@ghostlight/core/time';
import { sum } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { groupOf, WAITING } from './states.ts';

/** One that has delivered nothing for so long is looked through in vain: all that others have delivered stands before. */
const LAST_DAYS = 30;

export interface Health {
  readonly waiting: number;
  /** Epoch ms. */
  readonly oldestWaitingAt: number | null;
  readonly delivered: number;
  readonly skipped: number;
  readonly dead: number;
  readonly unknown: number;
  /** Within 30 days. */
  readonly lastDeliveredAt: number | null;
}

/** By destination id, every one of those asked for. @param ids at most some dozens */
export async function healthOf(
  { reader }: Pick<Database, 'reader'>,
  owner: Owner,
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Health>> {
  if (ids.length === 0) return new Map();
  // By the destinations, which are the organization's: so it is counted from the index alone.
  const ofDestinations = () =>
    reader.selectFrom('deliveries').where('attribution_id', '=', owner.id).where('destination_id', 'in', ids);
  const waiting = await ofDestinations()
    .select(({ fn }) => [
      'destination_id',
      fn.countAll<number | string>().as('count'),
      fn.min('created_at').as('oldest'),
    ])
    .where('state', 'in', WAITING)
    .groupBy('destination_id')
    .execute();
  const settled = await ofDestinations()
    .select(({ fn }) => ['destination_id', 'state', fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['delivered', 'skipped', 'dead', 'unknown'])
    .where('created_at', '>=', now - DAY_MS)
    .groupBy(['destination_id', 'state'])
    .execute();
  const health = new Map<string, Health>();
  for (const id of ids) {
    const counted = (group: string): number =>
      sum(
        settled.filter(({ destination_id, state }) => destination_id === id && groupOf(state) === group),
        ({ count }) => Number(count),
      );
    const standing = waiting.find(({ destination_id }) => destination_id === id);
    const last = await ofDestinations()
      .select('settled_at')
      .where('destination_id', '=', id)
      .where('state', '=', 'delivered')
      .where('created_at', '>=', now - LAST_DAYS * DAY_MS)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    health.set(id, {
      waiting: Number(standing?.count ?? 0),
      oldestWaitingAt: standing?.oldest ?? null,
      delivered: counted('delivered'),
      skipped: counted('skipped'),
      dead: counted('dead'),
      unknown: counted('unknown'),
      lastDeliveredAt: last?.settled_at ?? null,
    });
  }
  return health;
}
