/** A refund and its purchase, as one destination sees them: what is left of it, and whether it has arrived there. */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Database, Row } from '../database/index.ts';
import type { Original } from '../destinations/index.ts';
import { type ConversionRow, remainingOf } from '../webhooks/index.ts';

type DeliveryRow = Row<'deliveries'>;

/** How long a refund waits at a time: the purchase may be settled any moment, but need not be. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 5 * MINUTE_MS;
/** An order has no more deliveries to one destination than refunds; beyond it nothing is waited for. */
const MAX_OF_ORDER = 1_000;

/**
 * A platform that restates an order takes what comes last for true, so a refund leaves after its purchase, and after older refunds of
 * the same order that are under way. Only the older one is waited for: two would wait for each other.
 */
export async function originalOf(
  db: Database['kysely'],
  delivery: DeliveryRow,
  purchase: ConversionRow,
  now: number,
): Promise<Original | { readonly wait: number }> {
  const others = await db
    .selectFrom('deliveries')
    .innerJoin('conversions', 'conversions.id', 'deliveries.conversion_row')
    .select(['deliveries.id', 'conversion_row', 'state', 'deliveries.next_at', 'deliveries.created_at'])
    .where('deliveries.destination_id', '=', delivery.destination_id)
    .where('deliveries.organization_id', '=', delivery.organization_id)
    .where(({ and, or, eb }) =>
      or([
        eb('conversions.id', '=', purchase.id),
        and([eb('purchase_row', '=', purchase.id), eb('conversions.topic', '=', 'refund')]),
      ]),
    )
    .where('deliveries.id', '!=', delivery.id)
    .orderBy('deliveries.created_at')
    .limit(MAX_OF_ORDER)
    .execute();
  const ofPurchase = others.find(({ conversion_row }) => conversion_row === purchase.id);
  const before = others.find((other) =>
    other === ofPurchase
      ? ['pending', 'retry', 'sending', 'accepted_async'].includes(other.state)
      : ['sending', 'accepted_async'].includes(other.state) && isOlder(other, delivery),
  );
  if (before !== undefined)
    return { wait: Math.min(Math.max((before.next_at ?? now) - now, SHORTEST_MS), LONGEST_MS) };
  return {
    conversionId: purchase.conversion_id,
    occurredAt: purchase.occurred_at,
    value: purchase.value,
    currency: purchase.currency,
    remaining: await remainingOf(db, purchase),
    forwarded: ofPurchase?.state === 'delivered',
  };
}

type Aged = Pick<DeliveryRow, 'id' | 'created_at'>;

const isOlder = (one: Aged, other: Aged): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
