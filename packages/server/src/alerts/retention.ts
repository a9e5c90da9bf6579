/** What does not outlive its time, its number or its property. */

import { DAY_MS } from '@ghostlight/core/time';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

const KEEP_MS = 400 * DAY_MS;
const MAX_PER_PROPERTY = 1_000;
const CHUNK = 500;

/** The hourly job. @returns how many alerts were deleted */
export async function forgetOld(database: Database, clock: Clock): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const old = await database.reader
      .selectFrom('alerts')
      .select('id')
      .where('at', '<', clock() - KEEP_MS)
      .limit(CHUNK)
      .execute();
    forgotten += await forget(database, old);
    if (old.length < CHUNK) break;
  }
  await forgetChannels(database, clock() - KEEP_MS);
  const crowded = await database.reader
    .selectFrom('alerts')
    .select('attribution_id')
    .groupBy('attribution_id')
    .having(({ fn, eb }) => eb(fn.countAll<number | string>(), '>', MAX_PER_PROPERTY))
    .limit(CHUNK)
    .execute();
  for (const { attribution_id: id } of crowded)
    for (;;) {
      const surplus = await database.reader
        .selectFrom('alerts')
        .select('id')
        .where('attribution_id', '=', id)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_PER_PROPERTY)
        .limit(CHUNK)
        .execute();
      forgotten += await forget(database, surplus);
      if (surplus.length < CHUNK) break;
    }
  return forgotten;
}

/** Channels that were removed so long ago that no message tells of them any more. */
async function forgetChannels({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom('alert_channels').where('deleted_at', '<', before).execute();
}

/** Alerts with their messages. */
async function forget({ kysely }: Database, alerts: readonly { readonly id: string }[]): Promise<number> {
  if (alerts.length === 0) return 0;
  const ids = alerts.map(({ id }) => id);
  await kysely.transaction().execute(async (trx) => {
    await trx.deleteFrom('alert_messages').where('alert_id', 'in', ids).execute();
    await trx.deleteFrom('alerts').where('id', 'in', ids).execute();
  });
  return ids.length;
}

/** In the transaction that deletes the property: no messages are sent for it any more. Channels of its whole organization stay. */
export async function forgetAlerts(trx: Database['kysely'], { id, organizationId }: Owner): Promise<void> {
  for (const table of [
    'alert_messages',
    'alerts',
    'alert_channels',
    'alert_rules',
    'alert_settings',
    'alert_seen',
    'alert_watches',
  ] as const)
    await trx
      .deleteFrom(table)
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .execute();
}
