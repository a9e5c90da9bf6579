/** The domains of a deleted property are free for others at once. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

/** In the transaction that deletes the property. */
export async function freeDomains(trx: Database['kysely'], owner: Owner): Promise<void> {
  await trx
    .deleteFrom('tracking_domains')
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .execute();
}
