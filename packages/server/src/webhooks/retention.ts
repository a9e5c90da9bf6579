/** What is forgotten, and when: personal data after 30 days, conversions with the retention of everything else. */

import { DAY_MS } from '@ghostlight/core/time';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

/** Rows per statement: a longer one would keep requests waiting on SQLite. */
const CHUNK = 1_000;

/** @returns how many rows were deleted, or lost their personal data */
export async function forgetOld(
  database: Database,
  { clock, retentionDays }: { clock: Clock; retentionDays: number },
): Promise<{ personal: number; conversions: number; browserEvents: number }> {
  const now = clock();
  const oldest = now - retentionDays * DAY_MS;
  const inChunks = async (step: () => Promise<bigint>): Promise<number> => {
    let total = 0;
    for (;;) {
      const changed = Number(await step());
      total += changed;
      if (changed < CHUNK) return total;
    }
  };
  const { kysely } = database;
  return {
    personal: await inChunks(async () => {
      const { numUpdatedRows } = await kysely
        .updateTable('conversions')
        .set({ personal: null, personal_until: null, payload_digest: null })
        .where('id', 'in', (query) =>
          query.selectFrom('conversions').select('id').where('personal_until', '<=', now).limit(CHUNK),
        )
        .executeTakeFirst();
      return numUpdatedRows;
    }),
    conversions: await inChunks(async () => {
      const { numDeletedRows } = await kysely
        .deleteFrom('conversions')
        .where('id', 'in', (query) =>
          query.selectFrom('conversions').select('id').where('received_at', '<', oldest).limit(CHUNK),
        )
        .executeTakeFirst();
      return numDeletedRows;
    }),
    browserEvents: await inChunks(async () => {
      const { numDeletedRows } = await kysely
        .deleteFrom('browser_conversions')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('attribution_id', 'topic', 'conversion_id'),
            'in',
            selectFrom('browser_conversions as old')
              .select(['old.attribution_id', 'old.topic', 'old.conversion_id'])
              .where('old.at', '<', oldest)
              .limit(CHUNK)
              .$asTuple('attribution_id', 'topic', 'conversion_id'),
          ),
        )
        .executeTakeFirst();
      return numDeletedRows;
    }),
  };
}

/** In the transaction that deletes the property. */
export async function closeWebhooks(trx: Database['kysely'], owner: Owner, at: number): Promise<void> {
  await trx
    .updateTable('webhook_settings')
    .set({ enabled: 0, updated_at: at })
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .execute();
  await trx
    .updateTable('webhook_keys')
    .set({ revoked_at: at })
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .where('revoked_at', 'is', null)
    .execute();
  await trx
    .deleteFrom('webhook_shops')
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .execute();
}
