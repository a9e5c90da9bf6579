/** A visitor who wants to be forgotten: nothing of theirs is sent any more, and what was sent can't be read here any more. */
import { maskPerson } from '@ghostlight/core';
import type { Database } from '../database/index.ts';
import { SKIP_REASONS } from '../destinations/index.ts';
import type { Owner } from '../properties/index.ts';
import { OPEN } from './states.ts';

/** Bound parameters per statement. */
const CHUNK = 500;

/**
 * In the transaction that erases, before the conversions lose their visitor. What was under way may still arrive at the platform: the
 * answer finds no row to write to, and the platform's own erasure is its own.
 */
export async function eraseDeliveries(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  {
    visitors,
    conversions: named,
  }: { readonly visitors: readonly string[]; readonly conversions: readonly string[] },
  at: number,
): Promise<number> {
  let erased = 0;
  const conversions = await trx
    .selectFrom('conversions')
    .select('id')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('visitor_id', 'in', [...visitors, '']), eb('id', 'in', [...named, ''])]))
    .execute();
  for (let from = 0; from < conversions.length; from += CHUNK) {
    const ids = conversions.slice(from, from + CHUNK).map((row) => row.id);
    // A refund names no visitor, but carries those touches.
    const refunds = await trx
      .selectFrom('conversions')
      .select('id')
      .where('purchase_row', 'in', ids)
      .where('organization_id', '=', organizationId)
      .execute();
    erased += await erase(trx, organizationId, [...ids, ...refunds.map((row) => row.id)], visitors, at);
  }
  return erased;
}

/** @returns how many deliveries there were */
async function erase(
  trx: Database['kysely'],
  organizationId: string,
  conversions: readonly string[],
  visitors: readonly string[],
  at: number,
): Promise<number> {
  const theirs = () =>
    trx
      .updateTable('deliveries')
      .where('conversion_row', 'in', conversions)
      .where('organization_id', '=', organizationId);
  await theirs()
    .set({
      ...{ state: 'skipped', reason: 'erased', message: SKIP_REASONS.erased },
      ...{ lease: null, lease_until: null, next_at: null, settled_at: at },
    })
    .where('state', 'in', OPEN)
    .execute();
  const ids = await trx
    .selectFrom('deliveries')
    .select('conversion_id')
    .distinct()
    .where('conversion_row', 'in', conversions)
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { conversion_id: id } of ids) {
    if (maskPerson(id, visitors) === id) continue;
    // The id that its conversion gets instead.
    await theirs()
      .set((eb) => ({
        conversion_id: eb
          .selectFrom('conversions as c')
          .select((of) => of.fn.coalesce('c.purchase_row', 'c.id').as('id'))
          .whereRef('c.id', '=', 'deliveries.conversion_row')
          .where('c.organization_id', '=', organizationId)
          .$asScalar()
          .$notNull(),
      }))
      .where('conversion_id', '=', id)
      .execute();
  }
  const { numUpdatedRows } = await theirs()
    .set({ visitor_id: null, request: null, response: null, updated_at: at })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
