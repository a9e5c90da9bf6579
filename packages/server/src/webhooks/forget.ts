/** What a deleted property leaves behind: nothing that receives. Its conversions stay until their retention ends. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

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
}
