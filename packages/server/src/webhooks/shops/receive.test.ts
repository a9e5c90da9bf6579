import { addDecimal, subtractDecimal } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope, ServiceError } from '../../common/index.ts';
import { createSecretCipher, type Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { createProperties, type Property } from '../../properties/index.ts';
import type { Whose } from '../erasure.ts';
import type { Webhooks } from '../index.ts';
import { type TestSessions, testSessions, testWebhooks } from '../testing.ts';
import type { ShopName } from './platform.ts';
import {
  shopDelivery,
  shopHeaders,
  shopifyOrder,
  shopifyRefund,
  TEST_SECRET,
  TEST_VISITOR,
  wooOrder,
  wooSubscription,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ORDER = 820982911946;

describe.each(databases.backends)('a delivery of a shop on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let sessions: TestSessions;
  let webhooks: Webhooks;
  let property: Property;
  let erased: Whose[];
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 6);
    home = await backend.fresh({ clock });
    db = await home.node();
    sessions = testSessions();
    erased = [];
    webhooks = room();
    property = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Shop',
      domain: 'shop.example',
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    for (const platform of ['woocommerce', 'shopify'] as const) await connect(platform);
  });
  afterEach(async () => {
    await webhooks.close();
    await home.remove();
  });
  const room = (more: Partial<Parameters<typeof testWebhooks>[1]> = {}): Webhooks =>
    testWebhooks(db, {
      ...{ clock, log: silentLog, matching: sessions },
      erase: async (owner, _actor, whose) => {
        erased.push(whose);
        await db.kysely.transaction().execute((trx) => webhooks.eraseVisitor(trx, owner, whose));
      },
      ...more,
    });
  const connect = (platform: ShopName, secret: string | null = TEST_SECRET, overlap = 0) =>
    webhooks.shops.connections.connect(property, 'root', platform, secret, overlap);
  const woo = async (topic: string, json: unknown) =>
    (await webhooks.receiveShop(shopDelivery('woocommerce', property.id, topic, json))).body;
  const shopify = async (topic: string, json: unknown) =>
    (await webhooks.receiveShop(shopDelivery('shopify', property.id, topic, json))).body;
  const statusOf = async (attempt: Promise<unknown>): Promise<string> => {
    const thrown = await attempt.then(
      () => null,
      (error: unknown) => error,
    );
    return thrown instanceof ServiceError ? thrown.code : String(thrown);
  };
  const stored = async () =>
    (
      await db.reader
        .selectFrom('conversions')
        .selectAll()
        .orderBy('topic')
        .orderBy('idempotency_key')
        .execute()
    ).map(({ topic, conversion_id, refund_id, value, currency }) =>
      [topic, conversion_id, refund_id, value, currency].filter((one) => one !== null).join(' '),
    );
  const activity = () => webhooks.activity.list(property);
  const shopRow = async (platform: ShopName) =>
    (await webhooks.shops.connections.list(property)).get(platform);

  it('becomes a purchase with its visitor, its items and its customer', async () => {
    sessions.visit(TEST_VISITOR, { at: now - DAY });
    expect(await woo('order.created', wooOrder())).toMatchObject({
      status: 'success',
      result: 'stored',
      conversions: [{ topic: 'purchase', session_matched: true }],
    });
    const [row] = await webhooks.activity.list(property);
    expect(row).toMatchObject({
      shop: 'woocommerce',
      delivery: 'order.created d-1',
      conversion_id: '727',
      key_prefix: null,
    });
    const detail = await webhooks.conversions.get(property, row?.conversion_row ?? '');
    expect(detail.conversion).toMatchObject({
      ...{
        value: '118.88',
        currency: 'EUR',
        tax: '18.98',
        shipping: '4.9',
        discount_code: 'SPRING',
        channel: 'paid_search',
      },
      ...{ visitor_id: TEST_VISITOR, shop: 'woocommerce', occurred_at: Date.UTC(2026, 10, 21, 3, 1) },
    });
    expect(JSON.parse(detail.conversion.products)).toEqual([
      { id: '93', name: 'Lamp', sku: 'LAMP-1', quantity: '3', price: '31.6667', variation_id: '95' },
    ]);
    expect(detail.personal).toMatchObject({
      email: 'j***@c***.example',
      first_name: 'J***',
      address: { city: 'Berlin' },
    });
    expect(detail.extra).toMatchObject({
      ...{ order_number: '727', utm_source: 'newsletter', utm_medium: 'email', gclid: 'Abc-1' },
      ...{ referrer_host: 'mail.example', landing_path: '/sale/' },
    });
  });

  it('is one purchase, however often the order changes, and shows only what was new', async () => {
    await woo('order.created', wooOrder({ status: 'pending', date_paid_gmt: null, date_paid: null }));
    expect(await stored()).toEqual([]);
    await woo('order.updated', wooOrder());
    expect(await woo('order.updated', wooOrder({ status: 'completed' }))).toMatchObject({
      result: 'repeated',
      conversions: [],
    });
    expect(await stored()).toEqual(['purchase 727 118.88 EUR']);
    expect(await activity()).toHaveLength(1);
    expect(await shopRow('woocommerce')).toMatchObject({
      ...{ last_topic: 'order.updated', last_result: 'repeated', last_at: now },
      ...{ stored: 1, repeated: 1, ignored: 1, unusable: 0 },
    });
  });

  it('takes back each refund once, and of a cancelled order what is left', async () => {
    const refunds = [{ id: 730, total: '-20.00' }];
    await woo('order.created', wooOrder());
    await woo('order.updated', wooOrder({ refunds }));
    await woo('order.updated', wooOrder({ refunds }));
    expect(await stored()).toEqual(['purchase 727 118.88 EUR', 'refund 727 730 20 EUR']);
    await woo('order.updated', wooOrder({ status: 'cancelled', refunds }));
    // Paid back after the cancellation: part of it.
    await woo(
      'order.updated',
      wooOrder({ status: 'refunded', refunds: [...refunds, { id: 731, total: '-98.88' }] }),
    );
    expect(await stored()).toEqual([
      'purchase 727 118.88 EUR',
      'refund 727 727-cancelled 98.88 EUR',
      'refund 727 730 20 EUR',
    ]);
  });

  it('counts no order that was sold before the shop was connected, nor its refunds', async () => {
    const old = { date_created_gmt: '2026-09-01T00:00:00', date_paid_gmt: '2026-09-01T00:00:00' };
    expect(
      await woo('order.updated', wooOrder({ ...old, refunds: [{ id: 1, total: '-9.00' }] })),
    ).toMatchObject({
      result: 'ignored',
      detail: expect.stringContaining('older than 30 days'),
    });
    expect(await shopify('refunds/create', shopifyRefund(5, '9.00'))).toMatchObject({ result: 'ignored' });
    expect(await stored()).toEqual([]);
    await shopify('orders/paid', shopifyOrder());
    now += 60 * DAY;
    await shopify('refunds/create', shopifyRefund(5, '9.00'));
    expect(await stored()).toEqual([`purchase ${ORDER} 118.88 EUR`, `refund ${ORDER} 500 9 EUR`]);
  });

  it('waits while its sender, its property or all together hold too much that is not known to be signed', async () => {
    const MIB = 1_048_576;
    const good = shopDelivery('woocommerce', property.id, 'order.created', wooOrder());
    const wrong = shopHeaders('woocommerce', 'order.created', 'junk', { secret: 'of another' });
    const { promise: gate, resolve: end } = Promise.withResolvers<void>();
    /** A body that never ends, until `end`. */
    const slow = (ip: string) => {
      const { promise: held, resolve } = Promise.withResolvers<void>();
      const answer = statusOf(
        webhooks.receiveShop({
          ...shopDelivery('woocommerce', property.id, 'order.created', 'junk', wrong),
          ip,
          readBody: async (_, meter) => {
            meter(3 * MIB);
            resolve();
            await gate;
            return Buffer.from('junk');
          },
        }),
      );
      return { held, answer };
    };
    const answers: Promise<string>[] = [];
    for (let n = 1; n <= 10; n++) {
      const one = slow(`203.0.113.${n}`);
      await one.held;
      answers.push(one.answer);
    }
    expect(await slow('203.0.113.1').answer).toBe('unavailable');
    expect((await webhooks.receiveShop(good)).body.result).toBe('stored');
    expect(await slow('203.0.113.11').answer).toBe('unavailable');
    end();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['unauthorized']));
    expect(await slow('203.0.113.1').answer).toBe('unauthorized');
  });

  it('counts the order of a subscription as one, and its start without money', async () => {
    await woo('order.created', wooOrder({ created_via: 'subscription' }));
    await woo('subscription.created', wooSubscription());
    await woo('subscription.updated', wooSubscription());
    expect(await stored()).toEqual(['subscription 727 118.88 EUR', 'subscription subscription-801']);
  });

  it('is the order that a plug-in has sent with a webhook key', async () => {
    const { key } = await webhooks.keys.issue(property, 'root', { name: 'Plug-in', rateLimit: 100 });
    await webhooks.receive({
      ...{ attributionId: property.id, topic: 'purchase', boundTo: null, authorization: `Bearer ${key}` },
      ...{ idempotencyKey: undefined, ip: '198.51.100.7' },
      readBody: async () => ({ conversion_id: 727, value: '118.88', currency: 'EUR' }),
    });
    expect(await woo('order.created', wooOrder())).toMatchObject({ result: 'repeated' });
  });

  it('in any order and any number of times is one purchase and the right refunds', async () => {
    const one = shopifyRefund(1, '20.00');
    const two = shopifyRefund(2, '8.88');
    const paid = ['orders/paid', shopifyOrder()] as const;
    const deliveries: (readonly [string, Record<string, unknown>])[] = [
      paid,
      ['orders/create', shopifyOrder({ financial_status: 'pending' })],
      ['orders/updated', shopifyOrder({ financial_status: 'partially_refunded', refunds: [one] })],
      ['refunds/create', one],
      ['refunds/create', two],
      ['orders/updated', shopifyOrder({ financial_status: 'partially_refunded', refunds: [one, two] })],
    ];
    const cancelled = [
      'orders/cancelled',
      shopifyOrder({
        financial_status: 'partially_refunded',
        refunds: [one, two],
        cancelled_at: '2026-11-21T05:30:00Z',
      }),
    ] as const;
    let id = ORDER;
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.shuffledSubarray([...deliveries.keys(), 0, 3, 5], { minLength: 9 }),
        fc.nat(8),
        async (isCancelled, sequence, place) => {
          id += 1;
          const sent = sequence.map((index) => deliveries[index] ?? paid);
          if (isCancelled) sent.splice(place, 0, cancelled);
          // Each run is another order, with refunds of its own.
          const renamed = JSON.parse(
            JSON.stringify(sent)
              .replaceAll(String(ORDER), String(id))
              .replaceAll(/"id":([12])00,/g, `"id":${id}$1,`),
          ) as [string, object][];
          for (const [topic, body] of renamed) await shopify(topic, body);
          const rows = await db.reader
            .selectFrom('conversions')
            .select(['topic', 'value'])
            .where('conversion_id', '=', String(id))
            .execute();
          expect(rows.filter(({ topic }) => topic === 'purchase')).toEqual([
            { topic: 'purchase', value: '118.88' },
          ]);
          const back = rows
            .filter(({ topic }) => topic === 'refund')
            .reduce((sum, { value }) => addDecimal(sum, value ?? '0'), '0');
          expect(subtractDecimal('118.88', back)).toBe(isCancelled ? '0' : '90');
        },
      ),
      { numRuns: 10 },
    );
  });

  it('is stored once when it comes many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => woo('order.created', wooOrder())));
    expect(answers.filter(({ result }) => result === 'stored')).toHaveLength(1);
    expect(await stored()).toEqual(['purchase 727 118.88 EUR']);
  });

  it('is refused with one and the same answer by an unknown property, a closed one and a wrong secret', async () => {
    const body = JSON.stringify(wooOrder());
    const wrong = shopHeaders('woocommerce', 'order.created', body, { secret: 'another secret' });
    const send = (id: string, headers?: Record<string, string>) =>
      statusOf(webhooks.receiveShop(shopDelivery('woocommerce', id, 'order.created', body, headers)));
    expect(await send('00000000-0000-4000-8000-000000000000')).toBe('unauthorized');
    expect(await send('no id')).toBe('unauthorized');
    for (let n = 0; n < 100; n++) expect(await send(property.id, wrong)).toBe('unauthorized');
    expect(await send(property.id, { ...wrong, 'x-wc-webhook-signature': 'short' })).toBe('unauthorized');
    // The good one is not slowed by a hundred wrong ones.
    expect(await woo('order.created', wooOrder())).toMatchObject({ result: 'stored' });
    expect((await webhooks.shops.refusals(property)).get('woocommerce')).toMatchObject({
      at: now,
      error: expect.stringContaining('a different secret'),
    });
    await webhooks.settings.update(property, 'root', { enabled: false });
    expect(await statusOf(woo('order.created', wooOrder()))).toBe('unauthorized');
  });

  it('is not taken with the secret of the other platform, nor with an altered body', async () => {
    await connect('shopify', 'shopify-has-its-own');
    expect(await statusOf(shopify('orders/paid', shopifyOrder()))).toBe('unauthorized');
    const headers = shopHeaders('woocommerce', 'order.created', JSON.stringify(wooOrder()));
    const altered = shopDelivery(
      'woocommerce',
      property.id,
      'order.created',
      wooOrder({ total: '0.01' }),
      headers,
    );
    expect(await statusOf(webhooks.receiveShop(altered))).toBe('unauthorized');
    expect(await stored()).toEqual([]);
  });

  it('is taken with the previous secret while that overlaps, and not after', async () => {
    await connect('woocommerce', 'the next secret', 3_600);
    expect(await woo('order.created', wooOrder())).toMatchObject({ result: 'stored' });
    now += HOUR + 1;
    expect(await statusOf(woo('order.updated', wooOrder()))).toBe('unauthorized');
    await connect('woocommerce', TEST_SECRET, 3_600);
    await webhooks.shops.connections.endPrevious(property, 'root', 'woocommerce');
    expect((await shopRow('woocommerce'))?.previous_until).toBeNull();
    expect(await woo('order.updated', wooOrder())).toMatchObject({ result: 'repeated' });
    await webhooks.shops.connections.disconnect(property, 'root', 'woocommerce');
    expect(await statusOf(woo('order.updated', wooOrder()))).toBe('unauthorized');
  });

  it('keeps its secret encrypted, under the key of today', async () => {
    const { made } = await connect('woocommerce', null);
    const row = await shopRow('woocommerce');
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.secrets).not.toContain(made);
    const [before, after] = [
      'a secret of at least thirty-two characters',
      'another secret of thirty-two characters',
    ];
    await webhooks.close();
    webhooks = room({ cipher: createSecretCipher(after, before), rotating: true });
    await webhooks.forgetOld();
    await webhooks.close();
    webhooks = room({ cipher: createSecretCipher(after) });
    const body = JSON.stringify(wooOrder());
    const headers = shopHeaders('woocommerce', 'order.created', body, { secret: made ?? '' });
    expect(
      (await webhooks.receiveShop(shopDelivery('woocommerce', property.id, 'order.created', body, headers)))
        .body,
    ).toMatchObject({
      result: 'stored',
    });
  });

  it('is answered with 200 where there is nothing to count: a test of the address, other topics, test orders', async () => {
    const ping = shopDelivery('woocommerce', property.id, '', 'webhook_id=12', {});
    expect((await webhooks.receiveShop(ping)).body).toMatchObject({ status: 'success', result: 'ignored' });
    const strange = shopDelivery('woocommerce', property.id, '', 'webhook_id=12&x=1', {});
    expect(await statusOf(webhooks.receiveShop(strange))).toBe('unauthorized');
    expect(await woo('coupon.created', { id: 1 })).toMatchObject({
      result: 'ignored',
      detail: expect.stringContaining('coupon.created'),
    });
    expect(await woo('__proto__', { id: 1 })).toMatchObject({ result: 'ignored' });
    expect(await shopify('orders/paid', shopifyOrder({ test: true }))).toMatchObject({ result: 'ignored' });
    const body = JSON.stringify(shopifyOrder());
    const test = { ...shopHeaders('shopify', 'orders/paid', body), 'x-shopify-test': 'true' };
    expect(
      (await webhooks.receiveShop(shopDelivery('shopify', property.id, 'orders/paid', body, test))).body,
    ).toMatchObject({
      result: 'ignored',
    });
    expect(await stored()).toEqual([]);
    expect((await shopRow('shopify'))?.ignored).toBe(2);
  });

  it('that can’t be used is answered with 200, and kept masked in Recent Activity with the reason', async () => {
    expect(
      await woo('order.created', wooOrder({ currency: 'POINTS', customer_note: 'Ring at Miller’s' })),
    ).toMatchObject({
      status: 'success',
      result: 'unusable',
    });
    now += 1_000;
    expect(await woo('order.created', '[1,')).toMatchObject({ result: 'unusable' });
    const [, row] = await activity();
    expect(row).toMatchObject({
      status: 'validation_error',
      http_status: 200,
      shop: 'woocommerce',
      delivery: 'order.created d-1',
    });
    expect(row?.judgement).toContain('/currency');
    expect(row?.received).toContain('POINTS');
    expect(row?.received).not.toMatch(/jane|Miller|10115/i);
    expect((await shopRow('woocommerce'))?.unusable).toBe(2);
  });

  it('has a limit of its own', async () => {
    const limited = await webhooks.shops.connections.limit(property, 'root', 'woocommerce', 1);
    expect(limited.rate_limit).toBe(1);
    await woo('order.created', wooOrder());
    expect(await statusOf(woo('order.updated', wooOrder()))).toBe('rate_limited');
    // PostgreSQL goes by its own clock.
    await db.kysely.updateTable('webhook_shops').set({ arrival_us: 0 }).execute();
    expect(await woo('order.updated', wooOrder())).toMatchObject({ result: 'repeated' });
  });

  it('forgets a customer whom Shopify wants forgotten, by address and by order, after it was acknowledged', async () => {
    await shopify('orders/paid', shopifyOrder());
    await shopify('orders/paid', shopifyOrder({ id: 2, email: 'other@customer.example', customer: {} }));
    const redaction = { customer: { email: 'jane@customer.example' }, orders_to_redact: [2] };
    expect(await shopify('customers/redact', redaction)).toMatchObject({ result: 'stored' });
    await webhooks.sweep();
    const rows = await db.reader
      .selectFrom('conversions')
      .select(['personal', 'visitor_id', 'value'])
      .execute();
    expect(rows).toEqual([
      { personal: null, visitor_id: null, value: '118.88' },
      { personal: null, visitor_id: null, value: '118.88' },
    ]);
    expect(erased[0]).toMatchObject({ visitors: [TEST_VISITOR], conversions: { length: 2 } });
    expect(await db.reader.selectFrom('webhook_redactions').selectAll().execute()).toEqual([]);
  });

  it('forgets all customers of a shop that was left, and nothing that came otherwise', async () => {
    await shopify('orders/paid', shopifyOrder());
    await woo('order.created', wooOrder());
    await shopify('shop/redact', { shop_id: 1 });
    await webhooks.sweep();
    const rows = await db.reader
      .selectFrom('conversions')
      .select(['shop', 'personal'])
      .orderBy('shop')
      .execute();
    expect(rows).toEqual([
      { shop: 'shopify', personal: null },
      { shop: 'woocommerce', personal: expect.any(String) },
    ]);
  });

  it('that asks to forget waits until erasing works', async () => {
    let isDown = true;
    await webhooks.close();
    webhooks = room({
      erase: async () => {
        if (isDown) throw new Error('down');
      },
    });
    await shopify('orders/paid', shopifyOrder());
    await shopify('customers/redact', { customer: { email: 'jane@customer.example' }, orders_to_redact: [] });
    await webhooks.sweep();
    const waiting = async () =>
      (await db.reader.selectFrom('webhook_redactions').select('whose').execute()).map(({ whose }) => whose);
    expect(await waiting()).toHaveLength(1);
    expect((await waiting())[0]).not.toContain('jane');
    isDown = false;
    await webhooks.sweep();
    expect(await waiting()).toEqual([]);
  });

  it('of a customer who asks for their data is in the audit log', async () => {
    await shopify('customers/data_request', { customer: { id: 1 }, data_request: { id: 9999 } });
    const log = await db.reader.selectFrom('audit_log').select(['actor', 'action', 'subject']).execute();
    expect(log).toContainEqual({
      actor: 'shopify',
      action: 'webhook_shop.data_requested',
      subject: `${property.id}/9999`,
    });
  });
});
