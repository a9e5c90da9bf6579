/** What each topic of each platform says: read `golden/` to see it. */
import { readConversion } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderMessage } from './message.ts';
import { SHOPS } from './register.ts';
import { shopify } from './shopify.ts';
import { shopifyOrder, shopifyRefund, wooOrder, wooSubscription } from './testing.ts';
import type { Raw } from './untrusted.ts';
import { woocommerce } from './woocommerce.ts';

const refunded = [
  { id: 730, reason: 'wrong size', total: '-20.00' },
  { id: 731, reason: '', total: '-8.90' },
];
const redact = { id: 207119551, email: 'jane@customer.example', phone: '+49 30 901820' };
/** Name → topic and body. */
const CASES: Readonly<Record<string, Readonly<Record<string, readonly [topic: string, body: Raw]>>>> = {
  woocommerce: {
    'paid order': ['order.created', wooOrder()],
    'order that waits for its payment': [
      'order.created',
      wooOrder({ status: 'pending', date_paid: null, date_paid_gmt: null }),
    ],
    'order with two refunds': ['order.updated', wooOrder({ status: 'completed', refunds: refunded })],
    'order that was paid and cancelled': ['order.updated', wooOrder({ status: 'cancelled' })],
    'order that was cancelled unpaid': [
      'order.updated',
      wooOrder({ status: 'cancelled', date_paid: null, date_paid_gmt: null }),
    ],
    'cash on delivery, cancelled': [
      'order.updated',
      wooOrder({ status: 'cancelled', payment_method: 'cod', date_paid: null, date_paid_gmt: null }),
    ],
    'renewal of a subscription': ['order.created', wooOrder({ created_via: 'subscription' })],
    'visit without a campaign': [
      'order.created',
      wooOrder({
        meta_data: [
          { key: '_wc_order_attribution_source_type', value: 'typein' },
          { key: '_wc_order_attribution_utm_source', value: '(direct)' },
        ],
      }),
    ],
    subscription: ['subscription.created', wooSubscription()],
    'subscription that waits': ['subscription.created', wooSubscription({ status: 'pending' })],
    deleted: ['order.deleted', { id: 727 }],
    'no order': ['order.updated', { code: 'woocommerce_rest_shop_order_invalid_id' }],
  },
  shopify: {
    'paid order': ['orders/paid', shopifyOrder()],
    'authorised order': ['orders/create', shopifyOrder({ financial_status: 'authorized' })],
    'order with a refund': [
      'orders/updated',
      shopifyOrder({ financial_status: 'partially_refunded', refunds: [shopifyRefund(929, '20.00')] }),
    ],
    'cancelled order': [
      'orders/cancelled',
      shopifyOrder({ financial_status: 'paid', cancelled_at: '2026-11-21T06:00:00+00:00' }),
    ],
    'voided order': [
      'orders/cancelled',
      shopifyOrder({ financial_status: 'voided', cancelled_at: '2026-11-21T06:00:00+00:00' }),
    ],
    'order of a subscription': ['orders/paid', shopifyOrder({ source_name: 'subscription_contract' })],
    'order paid in another currency': [
      'orders/paid',
      shopifyOrder({
        presentment_currency: 'JPY',
        total_price_set: {
          shop_money: { amount: '118.88', currency_code: 'EUR' },
          presentment_money: { amount: '19260', currency_code: 'JPY' },
        },
      }),
    ],
    refund: ['refunds/create', shopifyRefund(929, '20.00')],
    'refund of goods, tax and shipping in another currency, by two payments': [
      'refunds/create',
      shopifyRefund(930, '20.00', {
        refund_line_items: [
          {
            subtotal_set: { shop_money: { amount: '16.81', currency_code: 'EUR' } },
            total_tax_set: { shop_money: { amount: '3.19', currency_code: 'EUR' } },
          },
        ],
        order_adjustments: [
          {
            kind: 'shipping_refund',
            amount_set: { shop_money: { amount: '-4.00', currency_code: 'EUR' } },
            tax_amount_set: { shop_money: { amount: '-0.90', currency_code: 'EUR' } },
          },
        ],
        transactions: [
          { id: 1, kind: 'refund', status: 'success', amount: '1000', currency: 'JPY' },
          { id: 2, kind: 'refund', status: 'success', amount: '3000', currency: 'JPY' },
        ],
      }),
    ],
    'refund that is not paid back yet': [
      'refunds/create',
      shopifyRefund(931, '20.00', {
        transactions: [{ id: 3, kind: 'refund', status: 'pending', amount: '20.00', currency: 'EUR' }],
      }),
    ],
    'test order': ['orders/paid', shopifyOrder({ test: true })],
    'customers/redact': [
      'customers/redact',
      {
        shop_id: 954889,
        shop_domain: 'x.myshopify.example',
        customer: redact,
        orders_to_redact: [299938, 280263],
      },
    ],
    'customers/data_request': [
      'customers/data_request',
      { shop_id: 954889, customer: redact, orders_requested: [299938], data_request: { id: 9999 } },
    ],
    'shop/redact': ['shop/redact', { shop_id: 954889, shop_domain: 'x.myshopify.example' }],
    'app/uninstalled': ['app/uninstalled', { id: 954889 }],
  },
};

const messageOf = (shop: (typeof SHOPS)[number], topic: string, body: Raw) => {
  const reader = shop.topics[topic];
  if (reader === undefined) throw new Error(`no topic ${topic}`);
  return reader(JSON.parse(JSON.stringify(body)) as Raw);
};

describe.each(SHOPS.map((shop) => ({ name: shop.name, shop })))('$name', ({ name, shop }) => {
  it('says of each topic what the golden file shows', async () => {
    const lines = Object.entries(CASES[name] ?? {}).map(
      ([title, [topic, body]]) =>
        `${title} (${topic})\n${JSON.stringify(messageOf(shop, topic, body), null, 1)}`,
    );
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot(`golden/${name}.golden.txt`);
  });

  it('says nothing that our own webhooks would refuse', () => {
    for (const [topic, body] of Object.values(CASES[name] ?? {})) {
      const message = messageOf(shop, topic, body);
      if (message.kind !== 'order') continue;
      const all = [
        ...(message.sale === null ? [] : [[message.sale.topic, message.sale.body] as const]),
        ...message.refunds.map((refund) => ['refund', refund] as const),
        ...(message.cancellation === null ? [] : [['refund', message.cancellation] as const]),
      ];
      for (const [as, said] of all) expect(readConversion(as, said)).toHaveProperty('event');
    }
  });

  it('reads every topic that it advises', () => {
    expect(shop.advised.every((topic) => Object.hasOwn(shop.topics, topic))).toBe(true);
  });

  it('takes any JSON without failing', () => {
    const whole =
      name === 'shopify'
        ? shopifyOrder({ refunds: [shopifyRefund(1, '2')] })
        : wooOrder({ refunds: refunded });
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(shop.topics)),
        fc.dictionary(
          fc.constantFrom(...Object.keys(whole), 'order_id', 'transactions', 'customer'),
          fc.jsonValue(),
        ),
        (topic, spoiled) => {
          expect(messageOf(shop, topic, { ...whole, ...spoiled })).toHaveProperty('kind');
        },
      ),
      { numRuns: 300 },
    );
  });
});

const order = (message: ReturnType<typeof messageOf>): OrderMessage => {
  if (message.kind !== 'order') throw new Error(`no order, but ${message.kind}`);
  return message;
};
/** Of 0 to 10,000,000 smallest units, as shops write it. */
const amounts = (digits: number) =>
  fc.integer({ min: 1, max: 10_000_000 }).map((units) => (units / 10 ** digits).toFixed(digits));
const currencies = fc.constantFrom(['EUR', 2] as const, ['JPY', 0] as const, ['KWD', 3] as const);

describe('money', () => {
  it('arrives to the last digit, in currencies of none, two and three', () => {
    fc.assert(
      fc.property(
        currencies.chain(([currency, digits]) =>
          fc.tuple(fc.constant(currency), fc.constant(digits), amounts(digits), amounts(digits)),
        ),
        ([currency, digits, total, back]) => {
          const units = (text: unknown) => Math.round(Number(text) * 10 ** digits);
          const woo = order(
            messageOf(
              woocommerce,
              'order.updated',
              wooOrder({ currency, total, refunds: [{ id: 1, total: `-${back}` }] }),
            ),
          );
          const spot = order(
            messageOf(
              shopify,
              'orders/updated',
              shopifyOrder({
                ...{ currency, total_price: total, total_price_set: null },
                refunds: [
                  shopifyRefund(1, back, {
                    refund_line_items: [],
                    transactions: [{ id: 9, kind: 'refund', status: 'success', amount: back, currency }],
                  }),
                ],
              }),
            ),
          );
          for (const { sale, refunds } of [woo, spot]) {
            const paid = readConversion('purchase', sale?.body);
            const returned = readConversion('refund', refunds[0]);
            if ('errors' in paid || 'errors' in returned) throw new Error('refused');
            expect([units(paid.event.value), paid.event.currency]).toEqual([units(total), currency]);
            expect([units(returned.event.value), returned.event.currency]).toEqual([units(back), currency]);
            expect(
              [...paid.warnings, ...returned.warnings].filter(({ message }) => message.includes('decimals')),
            ).toEqual([]);
          }
        },
      ),
    );
  });

  it('of a refund in the customer’s currency is divided among its payments without a rest', () => {
    fc.assert(
      fc.property(amounts(2), fc.array(amounts(0), { minLength: 1, maxLength: 5 }), (whole, parts) => {
        const { refunds } = order(
          messageOf(
            shopify,
            'refunds/create',
            shopifyRefund(1, whole, {
              transactions: parts.map((amount, index) => ({
                ...{ id: index + 1, kind: 'refund', status: 'success' },
                ...{ amount, currency: 'JPY' },
              })),
            }),
          ),
        );
        const cents = refunds.reduce((sum, { value }) => sum + Math.round(Number(value) * 100), 0);
        expect(cents).toBe(Math.round(Number(whole) * 100));
        expect(new Set(refunds.map(({ currency }) => currency))).toEqual(new Set(['EUR']));
      }),
    );
  });
});
