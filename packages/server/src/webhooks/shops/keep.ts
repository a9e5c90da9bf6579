/**
 * What a delivery says, stored in one transaction: the sale once, each refund once, a cancellation as what is left. Deliveries may come in any
 * order and any number of times: a state of an order implies everything before it, and what is known already changes nothing.
 */
import { type ConversionEvent, compareDecimal, readConversion, type Topic } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { Database } from '../../database/index.ts';
import type { ConversionRow } from '../announce.ts';
import { type ConversionStore, lockOrder, type Said, type Source } from '../conversions.ts';
import { maskedEvent } from '../masking.ts';
import { purchaseOf, remainingOf, type Warning } from '../refunds.ts';
import type { Receiver } from '../settings.ts';
import type { ShopResult } from './connections.ts';
import type { Body, OrderMessage } from './message.ts';
import type { ShopName } from './platform.ts';

/** An order of longer ago was sold before the shop was connected: counted now, it would be a sale of today. */
const OLDEST_SALE_MS = 30 * DAY_MS;
/** Of one order in one delivery. */
const MAX_REFUNDS = 100;

export interface Kept {
  readonly result: ShopResult;
  /** A sentence for people. */
  readonly detail: string;
  /** Those that are new. */
  readonly conversions: readonly ConversionRow[];
  /** Why the order itself could not be used. */
  readonly errors: readonly Warning[];
}

export interface KeepDeps {
  readonly database: Database;
  readonly conversions: ConversionStore;
}

export interface Delivery {
  readonly receiver: Receiver;
  readonly shop: ShopName;
  /** As Recent Activity shows it. */
  readonly delivery: string;
  readonly at: number;
}

/** Read and checked, before anything is written. */
interface Checked {
  readonly topic: Topic;
  readonly event: ConversionEvent;
  readonly warnings: readonly Warning[];
}

const nothing = (result: ShopResult, detail: string, errors: readonly Warning[] = []): Kept => ({
  result,
  detail,
  errors,
  conversions: [],
});

/** @param trx the delivery's transaction */
export async function keepOrder(
  { database, conversions }: KeepDeps,
  trx: Database['kysely'],
  from: Delivery,
  message: OrderMessage,
): Promise<Kept> {
  const { receiver, at } = from;
  const { orderId, sale } = message;
  const stored: ConversionRow[] = [];
  let known = false;

  const keep = async ({ topic, event, warnings }: Checked): Promise<void> => {
    const said: Said = { receiver, topic, event, warnings, idempotencyKey: null, shop: from.shop, at };
    const outcome = await conversions.keep(trx, said);
    known ||= outcome.duplicate;
    if (outcome.duplicate) return;
    stored.push(outcome.conversion);
    const source: Source = {
      keyPrefix: null,
      shop: from.shop,
      delivery: from.delivery,
      received: maskedEvent(event),
    };
    await conversions.show(trx, said, source, outcome);
  };

  await lockOrder(trx, database.adapter, receiver.attributionId, orderId);
  const before = await purchaseOf(trx, database.adapter, receiver.attributionId, orderId);
  if (before === null) {
    if (sale === null) return nothing('ignored', message.refunds.length > 0 ? UNKNOWN_ORDER : message.why);
    if (sale.soldAt !== null && sale.soldAt < at - OLDEST_SALE_MS) return nothing('ignored', OLD_ORDER);
    const checked = check(sale.topic, sale.body);
    if ('errors' in checked) return nothing('unusable', UNUSABLE, checked.errors);
    await keep(checked);
  } else known = true;

  if (!(await isCancelled(trx, receiver, orderId))) {
    for (const body of message.refunds.slice(0, MAX_REFUNDS)) {
      const checked = check('refund', body);
      if ('errors' in checked)
        return { ...nothing('unusable', UNUSABLE, checked.errors), conversions: stored };
      await keep(checked);
    }
    const purchase = await purchaseOf(trx, database.adapter, receiver.attributionId, orderId);
    const left = purchase === null || message.cancellation === null ? null : await remainingOf(trx, purchase);
    if (message.cancellation !== null && left !== null && compareDecimal(left, '0') > 0) {
      const checked = check('refund', message.cancellation);
      if (!('errors' in checked)) await keep(checked);
    }
  }
  if (stored.length > 0) return { ...nothing('stored', newOnes(stored)), conversions: stored };
  return known && (sale !== null || message.refunds.length > 0)
    ? nothing('repeated', 'Everything in it is already known.')
    : nothing('ignored', message.why);
}

const UNUSABLE =
  'The order could not be used; Recent Activity says why. It got a 200 response, because a repeat would say the same.';
const OLD_ORDER =
  'The order is older than 30 days and was never counted: it was sold before the shop was connected.';
const UNKNOWN_ORDER = 'The refund’s order was never counted here, so nothing is subtracted.';

/** `New: purchase, refund.` */
const newOnes = (stored: readonly ConversionRow[]): string =>
  `New: ${stored.map(({ topic }) => topic).join(', ')}.`.slice(0, 200);

function check(topic: Topic, body: Body): Checked | { readonly errors: readonly Warning[] } {
  const reading = readConversion(topic, body);
  return 'errors' in reading ? reading : { topic, ...reading };
}

/** A cancellation takes back all that is left: a refund that is paid back afterwards is part of it. */
async function isCancelled(trx: Database['kysely'], receiver: Receiver, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('conversions')
    .select('id')
    .where('attribution_id', '=', receiver.attributionId)
    .where('organization_id', '=', receiver.organizationId)
    .where('topic', '=', 'refund')
    .where('idempotency_key', '=', `r:${orderId}-cancelled`)
    .executeTakeFirst();
  return row !== undefined;
}
