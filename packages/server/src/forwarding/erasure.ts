/** A visitor who wants to be forgotten: nothing of theirs is sent any more, and what was sent can't be read here any more. */
import type { Database } from '../database/index.ts';
import { SKIP_REASONS } from '../destinations/index.ts';
import type { Owner } from './owner.ts';
import { OPEN } from './states.ts';

/**
 * In the transaction that erases, before the conversions lose their visitor. What was under way may still arrive at the platform: the
 * answer finds no row to write to, and the platform's own erasure is its own.
 */
export async function eraseDeliveries(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  visitorId: string,
  at: number,
): Promise<void> {
  const ofVisitor = trx
    .selectFrom('conversions')
    .select('id')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('visitor_id', '=', visitorId);
  // A refund names no visitor, but carries those touches.
  const refunds = trx
    .selectFrom('conversions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('purchase_row', 'in', ofVisitor);
  const theirs = () =>
    trx
      .updateTable('deliveries')
      .where('attribution_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where(({ eb, or }) =>
        or([
          eb('visitor_id', '=', visitorId),
          eb('conversion_row', 'in', ofVisitor),
          eb('conversion_row', 'in', refunds),
        ]),
      );
  await theirs()
    .set({
      ...{ state: 'skipped', reason: 'erased', message: SKIP_REASONS.erased },
      ...{ lease: null, lease_until: null, next_at: null, settled_at: at },
    })
    .where('state', 'in', OPEN)
    .execute();
  // Last, since by the visitor they are found.
  await theirs().set({ visitor_id: null, request: null, response: null, updated_at: at }).execute();
}
