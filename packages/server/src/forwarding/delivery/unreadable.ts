/**
 * Destinations whose credentials a node can't open. While SECRET_KEY is rotated node by node that is ordinary: a node with the other key
 * opens them. So such a node stands back, the alarm is raised only when no other one took the work, and whichever node can read them
 * again takes the alarm back.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type SqlBool, sql } from 'kysely';
import { type Database, DecryptError } from '../../database/index.ts';
import type { DeliveryDeps, DestinationRow } from './ports.ts';

/** The code of the alarm. */
export const UNREADABLE = 'credentials_unreadable';
/** For so long the node that can't read leaves the destination to the others. */
export const UNREADABLE_PAUSE_MS = 15_000;
/** What has been due for so long no node has taken. */
const LEFT_MS = 5 * MINUTE_MS;
/** Destinations looked at again at a time. */
const MAX_LOOKED_AT = 500;

/** @returns whether no node has worked for the destination for five minutes although something was due */
export async function isLeftByAll(
  { reader }: Pick<Database, 'reader'>,
  { id, updated_at }: DestinationRow,
  now: number,
): Promise<boolean> {
  const oldest = await reader
    .selectFrom('deliveries')
    .select('next_at')
    .where('destination_id', '=', id)
    // As the partial index spells it.
    .where(sql<SqlBool>`state in ('pending', 'retry', 'accepted_async')`)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  const due = oldest?.next_at ?? null;
  return due !== null && now - Math.max(due, updated_at) >= LEFT_MS;
}

/** Takes the alarm back where this node can read the credentials. @returns how many destinations work again */
export async function clearReadable({
  database,
  destinations,
  log,
}: Pick<DeliveryDeps, 'database' | 'destinations' | 'log'>): Promise<number> {
  const rows = await database.reader
    .selectFrom('destinations')
    .selectAll()
    .where('alarm', 'like', `%"${UNREADABLE}"%`)
    .where('deleted_at', 'is', null)
    .limit(MAX_LOOKED_AT)
    .execute();
  let cleared = 0;
  for (const row of rows) {
    try {
      destinations.open(row);
    } catch (error) {
      if (error instanceof DecryptError) continue;
      // What else is wrong with it, its next turn says.
    }
    const { numUpdatedRows } = await database.kysely
      .updateTable('destinations')
      .set({ alarm: null })
      .where('id', '=', row.id)
      .where('organization_id', '=', row.organization_id)
      .where('alarm', '=', row.alarm)
      .executeTakeFirst();
    cleared += Number(numUpdatedRows);
  }
  if (cleared > 0) log.info({ destinations: cleared }, 'credentials can be read again; deliveries go on');
  return cleared;
}
