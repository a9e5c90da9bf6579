/**
 * WooCommerce: order webhooks of its REST API (v1 to v3), and those of the extension WooCommerce Subscriptions. A delivery has the state of
 * the order at the time it is sent, with all refunds so far.
 */
import { currencyExponent } from '@ghostlight/core';
import { isoOf } from '../../common/index.ts';
import { type Body, ignored, type Message, type OrderMessage, unusable } from './message.ts';
import type { ShopPlatform } from './platform.ts';
import { arrivalOf, objectOf, objectsOf, pairsOf, type Raw, textOf, timeOf, visitorIn } from './untrusted.ts';

const SOLD = ['processing', 'completed', 'refunded'];
const TAKEN_BACK = ['cancelled', 'refunded'];
const STARTED = ['active', 'pending-cancel'];
const ATTRIBUTION = '_wc_order_attribution_';

export const woocommerce: ShopPlatform = {
  name: 'woocommerce',
  title: 'WooCommerce',
  headers: {
    signature: 'X-WC-Webhook-Signature',
    topic: 'X-WC-Webhook-Topic',
    delivery: 'X-WC-Webhook-Delivery-ID',
    test: null,
  },
  makesSecret: false,
  topics: {
    'order.created': readOrder,
    'order.updated': readOrder,
    'order.restored': readOrder,
    'order.deleted': () =>
      ignored(
        'A deleted order stays counted: the delivery has only its number. Cancel or refund an order to take it back.',
      ),
    'subscription.created': readSubscription,
    'subscription.updated': readSubscription,
    'subscription.deleted': () => ignored('The end of a subscription is no conversion.'),
  },
  advised: ['order.created', 'order.updated'],
  // Sent once, unsigned, when a webhook is saved; it is given up unless the answer is 200.
  isPing: (text) => /^webhook_id=[0-9]{1,20}$/.test(text),
};

function readOrder(raw: Raw): Message {
  const orderId = textOf(raw['id']);
  const status = textOf(raw['status']);
  if (orderId === null || status === null) return notWhole(raw, 'order');
  const paidAt = timeOf(raw['date_paid_gmt']) ?? timeOf(raw['date_paid']);
  // Cash on delivery is sold before it is paid, and says no more when it is cancelled.
  const wasDue = status === 'cancelled' && raw['payment_method'] === 'cod';
  const isSold = paidAt !== null || SOLD.includes(status) || wasDue;
  const at = isoOf(timeOf(raw['date_modified_gmt']));
  const currency = textOf(raw['currency']);
  return {
    kind: 'order',
    orderId,
    sale: isSold ? saleOf(raw, orderId, paidAt, currency) : null,
    refunds: objectsOf(raw['refunds']).flatMap((refund): Body[] => {
      const refundId = textOf(refund['id']);
      const value = textOf(refund['total']);
      return refundId === null || value === null
        ? []
        : [{ conversion_id: orderId, refund_id: refundId, value, currency, event_time: at }];
    }),
    cancellation:
      isSold && TAKEN_BACK.includes(status)
        ? { conversion_id: orderId, refund_id: `${orderId}-cancelled`, event_time: at }
        : null,
    why: isSold ? '' : `The order is not paid: its status is "${status.slice(0, 40)}".`,
  };
}

/** WooCommerce builds a delivery with the rights of the user who saved the webhook, and sends its own error where they don't suffice. */
function notWhole(raw: Raw, what: string): Message {
  const code = textOf(raw['code'])
    ?.replace(/[^a-z0-9_]/gi, '')
    .slice(0, 64);
  return unusable(
    code === undefined
      ? `The ${what} has no id or no status.`
      : `WooCommerce sent the error "${code}" instead of the ${what}. Save the webhook as a user who may see orders.`,
  );
}

function saleOf(
  raw: Raw,
  orderId: string,
  paidAt: number | null,
  currency: string | null,
): OrderMessage['sale'] {
  const meta = pairsOf(raw['meta_data'], 'key');
  const soldAt = paidAt ?? timeOf(raw['date_created_gmt']) ?? timeOf(raw['date_created']);
  const isRenewal = raw['created_via'] === 'subscription' || meta.has('_subscription_renewal');
  return {
    topic: isRenewal ? 'subscription' : 'purchase',
    soldAt,
    body: {
      conversion_id: orderId,
      visitor_id: visitorIn(meta),
      event_time: isoOf(soldAt),
      value: raw['total'],
      currency,
      tax: raw['total_tax'],
      shipping: raw['shipping_total'],
      discount_code: objectsOf(raw['coupon_lines'])
        .map(({ code }) => textOf(code))
        .filter((code) => code !== null)
        .join(', '),
      user_data: customerOf(objectOf(raw['billing'])),
      products: objectsOf(raw['line_items']).map((item) => productOf(item, currency)),
      ...noted(raw, meta),
    },
  };
}

/** A subscription that has started. Its money comes with its orders. */
function readSubscription(raw: Raw): Message {
  const id = textOf(raw['id']);
  const status = textOf(raw['status']);
  if (id === null || status === null) return notWhole(raw, 'subscription');
  const meta = pairsOf(raw['meta_data'], 'key');
  const soldAt = timeOf(raw['start_date_gmt']) ?? timeOf(raw['date_created_gmt']);
  const body = {
    conversion_id: `subscription-${id}`,
    visitor_id: visitorIn(meta),
    event_time: isoOf(soldAt),
    user_data: customerOf(objectOf(raw['billing'])),
    parent_order: textOf(raw['parent_id']),
    ...noted(raw, meta),
  };
  return {
    kind: 'order',
    orderId: body.conversion_id,
    sale: STARTED.includes(status) ? { topic: 'subscription', body, soldAt } : null,
    refunds: [],
    cancellation: null,
    why: `The subscription has not started: its status is "${status.slice(0, 40)}".`,
  };
}

function customerOf(billing: Raw): Body {
  return {
    email: billing['email'],
    phone: billing['phone'],
    first_name: billing['first_name'],
    last_name: billing['last_name'],
    address: {
      street: billing['address_1'],
      city: billing['city'],
      region: billing['state'],
      postal_code: billing['postcode'],
      country: billing['country'],
    },
  };
}

function productOf(item: Raw, currency: string | null): Body {
  const variation = textOf(item['variation_id']);
  return {
    id: item['product_id'],
    sku: item['sku'],
    name: item['name'],
    quantity: item['quantity'],
    price: priceOf(item['price'], currency),
    ...(variation === null || variation === '0' ? {} : { variation_id: variation }),
  };
}

/** A quotient as PHP computes it, such as 8.3333333333333339: two digits more than the currency has are enough of it. */
function priceOf(price: unknown, currency: string | null): unknown {
  if (typeof price !== 'number' || !Number.isFinite(price)) return price;
  return price.toFixed((currencyExponent(currency?.toUpperCase() ?? '') ?? 2) + 2);
}

/** What WooCommerce's order attribution noted; its words for visits without a campaign are no tags. */
function noted(raw: Raw, meta: ReadonlyMap<string, string>): Body {
  const source = meta.get(`${ATTRIBUTION}source_type`);
  const tags = [...meta].filter(([name]) => name.startsWith(`${ATTRIBUTION}utm_`));
  return {
    shop: 'woocommerce',
    order_number: textOf(raw['number']),
    ...(source === undefined ? {} : { source_type: source }),
    ...(source === 'utm'
      ? Object.fromEntries(tags.map(([name, value]) => [name.slice(ATTRIBUTION.length), value]))
      : {}),
    ...arrivalOf(meta.get(`${ATTRIBUTION}session_entry`) ?? null, meta.get(`${ATTRIBUTION}referrer`) ?? null),
  };
}
