/** What a deleted property leaves behind: no destination. What of its deliveries was open, the loop ends. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';

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
