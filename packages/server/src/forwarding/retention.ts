/** What is forgotten, and when: what is shown of requests after 30 days, deliveries with the retention of everything else. */

import { DAY_MS } from '@ghostlight/core/time';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

/** Masked as it is, what was sent is kept no longer than the personal data that it was made of. */
const SHOWN_DAYS = 30;
/** Rows per statement: a longer one would keep conversions waiting on SQLite. */
const CHUNK = 1_000;

/** @returns how many rows were deleted, or lost what was shown of their request */
export async function forgetOld(
  { kysely }: Database,
  { clock, retentionDays }: { clock: Clock; retentionDays: number },
): Promise<{ shown: number; deliveries: number }> {
  const now = clock();
  const inChunks = async (step: () => Promise<bigint>): Promise<number> => {
    let total = 0;
    for (;;) {
      const changed = Number(await step());
      total += changed;
      if (changed < CHUNK) return total;
    }
  };
  return {
    shown: await inChunks(async () => {
      const { numUpdatedRows } = await kysely
        .updateTable('deliveries')
        .set({ request: null, response: null })
        .where('id', 'in', (query) =>
          query
            .selectFrom('deliveries')
            .select('id')
            .where('created_at', '<', now - SHOWN_DAYS * DAY_MS)
            .where('request', 'is not', null)
            .limit(CHUNK),
        )
        .executeTakeFirst();
      return numUpdatedRows;
    }),
    deliveries: await inChunks(async () => {
      const { numDeletedRows } = await kysely
        .deleteFrom('deliveries')
        .where('id', 'in', (query) =>
          query
            .selectFrom('deliveries')
            .select('id')
            .where('created_at', '<', now - retentionDays * DAY_MS)
            .limit(CHUNK),
        )
        .executeTakeFirst();
      return numDeletedRows;
    }),
  };
}

/** In the transaction that deletes the property. */
export async function closeDestinations(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  at: number,
): Promise<void> {
  await trx
    .updateTable('destinations')
    // Encrypted or not, a platform's credentials are deleted when they are no longer used.
    .set({ deleted_at: at, updated_at: at, credentials: '', alarm: null })
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
}
