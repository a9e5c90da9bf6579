/**
 * What is open of a destination that is deleted, by itself or with its property, comes to an end: what waits is skipped, what the platform
 * has acknowledged is delivered, since there is no way to ask about it any more. What is under way right now ends by itself.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { SKIP_REASONS } from '../../destinations/index.ts';
import type { DeliveryDeps, DestinationRow } from './ports.ts';

/** Rows of one transaction: a longer one would keep conversions waiting on SQLite. */
const STEP = 200;

const ENDS = [
  {
    from: sql`state in ('pending', 'retry', 'accepted_async') and state <> 'accepted_async'`,
    state: 'skipped',
    reason: 'destination_deleted',
    message: SKIP_REASONS.destination_deleted,
  },
  {
    from: sql`state in ('pending', 'retry', 'accepted_async') and state = 'accepted_async'`,
    state: 'delivered',
    reason: null,
    message: 'The platform had acknowledged it; the destination was deleted before it said more.',
  },
] as const;

/** @returns how many came to their end */
export async function endDeleted(
  { database: { kysely } }: Pick<DeliveryDeps, 'database'>,
  { id, organization_id }: DestinationRow,
  now: number,
): Promise<number> {
  let ended = 0;
  for (const { from, state, reason, message } of ENDS)
    for (let closed = STEP; closed === STEP; await turn()) {
      const { numAffectedRows } = await sql`
          update deliveries set state = ${state}, reason = ${reason}, message = ${message},
            lease = null, lease_until = null, next_at = null, updated_at = ${now}, settled_at = ${now}
          where id in (
            select id from deliveries
            where destination_id = ${id} and organization_id = ${organization_id} and ${from} limit ${STEP}
          ) and ${from}`.execute(kysely);
      closed = Number(numAffectedRows ?? 0);
      ended += closed;
    }
  return ended;
}
