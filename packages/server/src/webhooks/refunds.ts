/** Refunds belong to their purchase: what it was attributed to, they take back, whatever its age. */
import { addDecimal, compareDecimal, subtractDecimal } from '@ghostlight/core';
import { sql } from 'kysely';
import type { Database, Row } from '../database/index.ts';
import type { MatchColumns } from './matching.ts';

type Queries = Database['kysely'];
export interface Warning {
  readonly pointer: string;
  readonly message: string;
}

/** More refunds of one order than this are no order's; what is beyond is not summed up. */
const MAX_REFUNDS = 1_000;

const SALES = ['purchase', 'subscription'];
/** Purchases and subscriptions: what brings money, and what refunds belong to. */
export const isSale = ({ topic }: { readonly topic: string }): boolean => SALES.includes(topic);

/** What the same order came as before: of a purchase a subscription, and the other way round. */
export const otherSale = (topic: string): readonly string[] => SALES.filter((sale) => sale !== topic);

/** The purchase (or subscription) that a refund names; locked, so that refunds of one order are settled one after the other. */
export async function purchaseOf(
  trx: Queries,
  { forUpdate }: Database['adapter'],
  attributionId: string,
  conversionId: string,
  topics: readonly string[] = SALES,
): Promise<Row<'conversions'> | null> {
  const row = await trx
    .selectFrom('conversions')
    .selectAll()
    .where('attribution_id', '=', attributionId)
    .where('conversion_id', '=', conversionId)
    .where('topic', 'in', topics)
    // The one that counts, if the order came as both; else "purchase" before "subscription".
    .orderBy(sql`purchase_row is not null`)
    .orderBy('topic')
    .limit(1)
    .$call(forUpdate)
    .executeTakeFirst();
  return row ?? null;
}

export function inherited(purchase: Row<'conversions'>): MatchColumns {
  const { model, winner, touches, channel, platform, source, medium, campaign } = purchase;
  const frozen = { model, winner, touches, channel, platform, source, medium, campaign };
  return { ...frozen, session_matched: 1, match_reason: 'inherited', match_until: null };
}

interface Amount {
  readonly value: string | null;
  readonly currency: string | null;
}

/** No amount: the rest of the order. More than the order: as sent, with a warning, for it is the shop's money. */
export async function refundAmount(
  trx: Queries,
  purchase: Row<'conversions'> | null,
  sent: Amount,
): Promise<Amount & { readonly warnings: readonly Warning[] }> {
  if (purchase === null) return { ...sent, warnings: noSuchOrder(sent) };
  const { value: paid, currency } = purchase;
  if (paid === null || currency === null) return { ...sent, warnings: [] };
  if (sent.currency !== null && sent.currency !== currency) {
    const message = `currency_mismatch: The order was paid in ${currency}. The refund in ${sent.currency} is kept but not subtracted from it.`;
    return { ...sent, warnings: [{ pointer: '/currency', message }] };
  }
  const before = await refundedBefore(trx, purchase, currency);
  const rest = subtractDecimal(paid, before);
  if (sent.value === null) return { value: atLeastZero(rest), currency, warnings: [] };
  const message = `The refunds for this order total ${addDecimal(before, sent.value)} ${currency}, more than the ${paid} that were paid.`;
  return {
    ...sent,
    warnings: compareDecimal(sent.value, rest) > 0 ? [{ pointer: '/value', message }] : [],
  };
}

function noSuchOrder({ value }: Amount): readonly Warning[] {
  const message =
    'no_such_order: No purchase or subscription with this id is known (yet). conversion_id is the order’s id; a refund’s own id is refund_id.';
  const amount = 'The refund has no amount until its order is known.';
  return [
    { pointer: '/conversion_id', message },
    ...(value === null ? [{ pointer: '/value', message: amount }] : []),
  ];
}

/** An order that came as purchase and as subscription is one sale: the second is kept, and counts nothing. */
export function sameOrder(first: Row<'conversions'>): Warning {
  return {
    pointer: '/conversion_id',
    message: `same_order: The order was received as ${first.topic} before. It is kept and forwarded as ${first.topic === 'purchase' ? 'subscription' : 'purchase'} too; reports count it once.`,
  };
}

const atLeastZero = (amount: string): string => (compareDecimal(amount, '0') < 0 ? '0' : amount);

async function refundedBefore(trx: Queries, purchase: Row<'conversions'>, currency: string): Promise<string> {
  const refunds = await trx
    .selectFrom('conversions')
    .select('value')
    .where('purchase_row', '=', purchase.id)
    .where('organization_id', '=', purchase.organization_id)
    .where('currency', '=', currency)
    .where('topic', '=', 'refund')
    .limit(MAX_REFUNDS)
    .execute();
  return refunds.reduce((sum, { value }) => addDecimal(sum, value ?? '0'), '0');
}

/** What is left of a purchase after the refunds that are known now; never below 0. null: the purchase has no value. */
export async function remainingOf(trx: Queries, purchase: Row<'conversions'>): Promise<string | null> {
  const { value, currency } = purchase;
  if (value === null || currency === null) return null;
  return atLeastZero(subtractDecimal(value, await refundedBefore(trx, purchase, currency)));
}

/** After a purchase was stored or matched: the refunds that name it, also those that arrived before it. @returns those that changed */
export async function passOn(trx: Queries, purchase: Row<'conversions'>): Promise<Row<'conversions'>[]> {
  const refunds = await trx
    .selectFrom('conversions')
    .selectAll()
    .where('attribution_id', '=', purchase.attribution_id)
    .where('organization_id', '=', purchase.organization_id)
    .where('conversion_id', '=', purchase.conversion_id)
    .where('topic', '=', 'refund')
    .where(({ and, eb, or }) =>
      or([
        eb('purchase_row', 'is', null),
        and([eb('purchase_row', '=', purchase.id), eb('match_reason', '!=', 'inherited')]),
      ]),
    )
    // No bare column: SQLite would walk all of a property's conversions by it, so as not to sort these few.
    .orderBy(sql`+received_at`)
    .limit(MAX_REFUNDS)
    .execute();
  const changed: Row<'conversions'>[] = [];
  for (const refund of refunds) {
    const { value, currency } =
      refund.value === null ? await refundAmount(trx, purchase, refund) : { ...refund };
    const match = purchase.session_matched === 1 ? inherited(purchase) : {};
    const row = await trx
      .updateTable('conversions')
      .set({ ...match, purchase_row: purchase.id, value, currency })
      .where('id', '=', refund.id)
      .where('organization_id', '=', purchase.organization_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    changed.push(row);
  }
  return changed;
}
