/**
 * Shopify: order and refund webhooks, and those of its privacy rules. Amounts are in the shop's own currency (`shop_money`), whatever the
 * customer paid in: a report can't add the currencies of all customers.
 */
import {
  addDecimal,
  compareDecimal,
  currencyExponent,
  multiplyByShares,
  subtractDecimal,
} from '@ghostlight/core';
import { isoOf } from '../../common/index.ts';
import { type Body, ignored, type Message, type OrderMessage, unusable } from './message.ts';
import type { ShopPlatform } from './platform.ts';
import {
  amountOf,
  arrivalOf,
  objectOf,
  objectsOf,
  pairsOf,
  type Raw,
  textOf,
  timeOf,
  visitorIn,
} from './untrusted.ts';

const SOLD = ['paid', 'partially_refunded', 'refunded'];
/** `source_name` of an order that a subscription made. */
const RECURRING = /^subscription_contract/;

export const shopify: ShopPlatform = {
  name: 'shopify',
  title: 'Shopify',
  headers: {
    signature: 'X-Shopify-Hmac-Sha256',
    topic: 'X-Shopify-Topic',
    delivery: 'X-Shopify-Webhook-Id',
    test: 'X-Shopify-Test',
  },
  makesSecret: true,
  topics: {
    'orders/create': readOrder,
    'orders/paid': (raw) => readOrder(raw, true),
    'orders/updated': readOrder,
    'orders/cancelled': readOrder,
    'orders/fulfilled': readOrder,
    'orders/partially_fulfilled': readOrder,
    'refunds/create': readRefund,
    'customers/redact': readRedact,
    'customers/data_request': readDataRequest,
    'shop/redact': () => ({ kind: 'redact', customer: null }),
    'app/uninstalled': () =>
      ignored('The app was removed from the shop: no more orders will come. What was counted stays.'),
    'orders/delete': () =>
      ignored(
        'A deleted order stays counted: the delivery has only its number. Cancel or refund an order to take it back.',
      ),
  },
  advised: ['orders/paid', 'orders/updated', 'refunds/create'],
  isPing: () => false,
};

function readOrder(raw: Raw, isPaid = false): Message {
  const orderId = textOf(raw['id']);
  if (orderId === null) return unusable('The order has no id, or one that JSON can’t carry.');
  if (raw['test'] === true) return { kind: 'test', why: 'A test order of the shop’s is not counted.' };
  const status = textOf(raw['financial_status']) ?? 'unknown';
  const isSold = isPaid || SOLD.includes(status);
  const currency = textOf(raw['currency']);
  const cancelledAt = timeOf(raw['cancelled_at']);
  return {
    kind: 'order',
    orderId,
    sale: isSold ? saleOf(raw, orderId, currency) : null,
    refunds: objectsOf(raw['refunds']).flatMap((refund) => refundsOf(refund, orderId, currency)),
    cancellation:
      isSold && (cancelledAt !== null || status === 'refunded')
        ? {
            conversion_id: orderId,
            refund_id: `${orderId}-cancelled`,
            event_time: isoOf(cancelledAt ?? timeOf(raw['updated_at'])),
          }
        : null,
    why: isSold ? '' : `The order is not paid: its financial status is "${status.slice(0, 40)}".`,
  };
}

function saleOf(raw: Raw, orderId: string, currency: string | null): OrderMessage['sale'] {
  const soldAt = timeOf(raw['processed_at']) ?? timeOf(raw['created_at']);
  const items = objectsOf(raw['line_items']);
  const isSubscription =
    RECURRING.test(textOf(raw['source_name']) ?? '') ||
    items.some((item) => Object.keys(objectOf(item['selling_plan_allocation'])).length > 0);
  return {
    topic: isSubscription ? 'subscription' : 'purchase',
    soldAt,
    body: {
      conversion_id: orderId,
      visitor_id: visitorIn(pairsOf(raw['note_attributes'], 'name')),
      event_time: isoOf(soldAt),
      value: shopMoney(raw['total_price_set'])?.amount ?? raw['total_price'],
      currency,
      tax: shopMoney(raw['total_tax_set'])?.amount ?? raw['total_tax'],
      shipping: shopMoney(raw['total_shipping_price_set'])?.amount,
      discount_code: objectsOf(raw['discount_codes'])
        .map(({ code }) => textOf(code))
        .filter((code) => code !== null)
        .join(', '),
      user_data: customerOf(raw),
      products: items.map((item) => ({
        id: item['product_id'],
        sku: item['sku'],
        name: item['title'],
        quantity: item['quantity'],
        price: shopMoney(item['price_set'])?.amount ?? item['price'],
        variation_id: textOf(item['variant_id']),
      })),
      shop: 'shopify',
      order_number: textOf(raw['name']),
      source_name: textOf(raw['source_name']),
      ...presentment(raw),
      ...arrivalOf(textOf(raw['landing_site']), textOf(raw['referring_site'])),
    },
  };
}

/** What the customer saw, kept beside what is counted. */
function presentment(raw: Raw): Body {
  const { amount, currency_code: code } = objectOf(objectOf(raw['total_price_set'])['presentment_money']);
  if (textOf(code) === null || code === raw['currency']) return {};
  return { presentment_value: textOf(amount), presentment_currency: textOf(code) };
}

function customerOf(raw: Raw): Body {
  const customer = objectOf(raw['customer']);
  const address = objectOf(raw['billing_address'] ?? raw['shipping_address'] ?? customer['default_address']);
  return {
    email: textOf(raw['email']) ?? textOf(raw['contact_email']) ?? customer['email'],
    phone: textOf(raw['phone']) ?? textOf(customer['phone']) ?? address['phone'],
    first_name: textOf(address['first_name']) ?? customer['first_name'],
    last_name: textOf(address['last_name']) ?? customer['last_name'],
    address: {
      street: address['address1'],
      city: address['city'],
      region: textOf(address['province_code']) ?? address['province'],
      postal_code: address['zip'],
      country: textOf(address['country_code']) ?? address['country'],
    },
  };
}

interface Money {
  readonly amount: string;
  readonly currency: string | null;
}

function shopMoney(set: unknown): Money | null {
  const money = objectOf(objectOf(set)['shop_money']);
  const amount = amountOf(money['amount']);
  return amount === null ? null : { amount, currency: textOf(money['currency_code']) };
}

function readRefund(raw: Raw): Message {
  const orderId = textOf(raw['order_id']);
  if (orderId === null || textOf(raw['id']) === null)
    return unusable('The refund has no id, or names no order.');
  return {
    kind: 'order',
    orderId,
    sale: null,
    refunds: refundsOf(raw, orderId, null),
    cancellation: null,
    why: 'No money of this refund has been paid back yet; "orders/updated" tells when it is.',
  };
}

/**
 * One of ours for each payment that went back: a refund may be paid back in several, some of them later. What was taken off an order without
 * a payment is no refund.
 */
function refundsOf(refund: Raw, orderId: string, orderCurrency: string | null): Body[] {
  const paid = objectsOf(refund['transactions']).flatMap((transaction) => {
    const id = textOf(transaction['id']);
    const amount = amountOf(transaction['amount']);
    const counts = transaction['kind'] === 'refund' && transaction['status'] === 'success';
    return counts && id !== null && amount !== null && compareDecimal(amount, '0') > 0
      ? [
          {
            id,
            amount,
            currency: textOf(transaction['currency']),
            shop: shopMoney(transaction['amount_set']),
          },
        ]
      : [];
  });
  const whole = wholeOf(refund, orderCurrency);
  const currency = orderCurrency ?? whole?.currency ?? null;
  const isForeign = paid.some((one) => one.shop === null && currency !== null && one.currency !== currency);
  const shares =
    isForeign && whole !== null && compareDecimal(whole.amount, '0') > 0
      ? multiplyByShares(
          whole.amount,
          paid.map(({ amount }) => amount),
          currencyExponent(whole.currency ?? '') ?? 2,
        )
      : null;
  const at = isoOf(timeOf(refund['processed_at']) ?? timeOf(refund['created_at']));
  return paid.map((one, index) => {
    const share = shares?.[index];
    const money =
      one.shop ??
      (share === undefined
        ? { amount: one.amount, currency: one.currency ?? currency }
        : { amount: share, currency });
    return {
      conversion_id: orderId,
      refund_id: one.id,
      value: money.amount,
      currency: money.currency ?? currency,
      event_time: at,
    };
  });
}

/** A refund in the shop's currency, from what it takes back: goods with tax, less adjustments, which are negative for shipping. */
function wholeOf(refund: Raw, orderCurrency: string | null): Money | null {
  const lines = objectsOf(refund['refund_line_items']).flatMap((line) => [
    line['subtotal_set'],
    line['total_tax_set'],
  ]);
  const adjusted = objectsOf(refund['order_adjustments']).flatMap((one) => [
    one['amount_set'],
    one['tax_amount_set'],
  ]);
  const [plus, minus] = [lines, adjusted].map((sets) =>
    sets.map(shopMoney).filter((money) => money !== null),
  );
  const all = [...(plus ?? []), ...(minus ?? [])];
  if (all.length === 0) return null;
  const currency = orderCurrency ?? all.find((money) => money.currency !== null)?.currency ?? null;
  const goods = (plus ?? []).reduce((sum, { amount }) => addDecimal(sum, amount), '0');
  return { amount: (minus ?? []).reduce((sum, { amount }) => subtractDecimal(sum, amount), goods), currency };
}

function readRedact(raw: Raw): Message {
  const orders = Array.isArray(raw['orders_to_redact']) ? (raw['orders_to_redact'] as unknown[]) : [];
  return {
    kind: 'redact',
    customer: {
      email: textOf(objectOf(raw['customer'])['email']),
      orderIds: orders.map(textOf).filter((id) => id !== null),
    },
  };
}

function readDataRequest(raw: Raw): Message {
  const request = textOf(objectOf(raw['data_request'])['id']) ?? 'unknown';
  return { kind: 'data_request', request };
}
