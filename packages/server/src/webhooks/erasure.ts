/** A visitor who wants to be forgotten: what was sold stays, in sum and by campaign; who it was does not. */
import type { Database } from '../database/index.ts';
import type { Owner } from './settings.ts';

/** @returns how many conversions and browser events lost what pointed to the visitor */
export async function eraseVisitor(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  visitorId: string,
): Promise<{ conversions: number; browserEvents: number }> {
  const ofVisitor = trx
    .selectFrom('conversions')
    .select('id')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('visitor_id', '=', visitorId);
  await trx
    .updateTable('webhook_requests')
    .set({ received: null, conversion_id: null })
    .where('organization_id', '=', organizationId)
    .where('conversion_row', 'in', ofVisitor)
    .execute();
  const forgotten = {
    personal: null,
    personal_until: null,
    payload_digest: null,
    winner: null,
    touches: '[]',
  };
  // A refund names no visitor, but carries the touches of its purchase.
  await trx
    .updateTable('conversions')
    .set(forgotten)
    .where('organization_id', '=', organizationId)
    .where('purchase_row', 'in', ofVisitor)
    .execute();
  const { numUpdatedRows } = await trx
    .updateTable('conversions')
    .set({ ...forgotten, visitor_id: null, match_until: null })
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst();
  const { numDeletedRows } = await trx
    .deleteFrom('browser_conversions')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst();
  return { conversions: Number(numUpdatedRows), browserEvents: Number(numDeletedRows) };
}
