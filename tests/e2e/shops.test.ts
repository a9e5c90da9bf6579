/** WooCommerce and Shopify deliver to the real service: signatures, what they get back, a kill, and what the log says of it. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  shopifyOrder,
  shopifyRefund,
  TEST_VISITOR,
  wooOrder,
} from '../../packages/server/src/webhooks/shops/testing.ts';
import { rawRequest } from '../harness/raw.ts';
import { type Answer, TestService } from '../harness/service.ts';

const service = new TestService({ LOG_LEVEL: 'debug' });
const HOUR = 3_600_000;
let property: string;
let secret: string;

beforeAll(async () => {
  await service.start();
  ({ id: property } = await service.property());
  await service.api('PUT', `/api/v1/properties/${property}/webhooks`, { enabled: true });
});
afterAll(async () => {
  await service.dispose();
});

const shopsUrl = (rest = '') => `/api/v1/properties/${property}/webhooks/shops${rest}`;
const sign = (body: string, key: string) => createHmac('sha256', key).update(body).digest('base64');

async function woo(body: string, headers: Record<string, string> = {}, id = property): Promise<Answer> {
  const all = {
    'Content-Type': 'application/json',
    'X-WC-Webhook-Topic': 'order.updated',
    'X-WC-Webhook-Delivery-ID': '0f1e2d',
    'X-WC-Webhook-Signature': sign(body, secret),
    ...headers,
  };
  return await service.call('POST', `/webhooks/woocommerce/${id}`, { headers: all, body });
}

/** Sold an hour ago. */
function today(order: Record<string, unknown>): string {
  const at = new Date(Date.now() - HOUR).toISOString();
  const [local] = at.split('.');
  return JSON.stringify({
    ...order,
    date_paid_gmt: local,
    date_created_gmt: local,
    processed_at: at,
    created_at: at,
  });
}

describe('a shop', () => {
  it('is connected with a secret that is made here, and delivers', async () => {
    const ping = await service.call('POST', `/webhooks/woocommerce/${property}`, { body: 'webhook_id=7' });
    expect(ping.status).toBe(200);
    const connected = await service.api('PUT', shopsUrl('/woocommerce'), {});
    expect(connected.body).toMatchObject({
      ...{ platform: 'woocommerce', connected: true, topics: ['order.created', 'order.updated'] },
      endpoint: `${service.address}/webhooks/woocommerce/${property}`,
    });
    secret = String((connected.body as { secret: string }).secret);

    const answer = await woo(today(wooOrder()));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('RateLimit-Policy')).toBe('"webhook";q=1000;w=60');
    expect(answer.body).toMatchObject({
      status: 'success',
      result: 'stored',
      conversions: [{ topic: 'purchase' }],
    });
    const refunded = today(wooOrder({ refunds: [{ id: 1, total: '-18.88' }] }));
    expect((await woo(refunded)).body).toMatchObject({ conversions: [{ topic: 'refund' }] });
    expect((await woo(refunded)).body).toMatchObject({ result: 'repeated', conversions: [] });

    const report = await service.api('GET', `/api/v1/properties/${property}/reports/attribution`);
    expect(report.body).toMatchObject({
      totals: {
        conversions: '1',
        values: [{ currency: 'EUR', value: '100' }],
        refunds: [{ currency: 'EUR', value: '18.88' }],
      },
    });
    const { body } = await service.api('GET', shopsUrl());
    const [shown] = (body as { items: object[] }).items;
    expect(shown).toMatchObject({
      last: { topic: 'order.updated', result: 'repeated' },
      counts: { stored: 2, repeated: 1, ignored: 0, unusable: 0 },
    });
    expect(JSON.stringify(body)).not.toContain(secret);
    const limited = await service.api('PATCH', shopsUrl('/woocommerce'), { rate_limit: 5_000 });
    expect(limited.body).toMatchObject({ connected: true, rate_limit: 5_000 });
    expect((await service.api('PATCH', shopsUrl('/shopify'), { rate_limit: 5 })).status).toBe(404);
    const counted = (await service.metrics()).get(
      'ghostlight_shop_deliveries_total{platform="woocommerce",result="stored"}',
    );
    expect(counted).toBe(2);
  });

  it('delivers with the secret that Shopify shows, from paid to refunded', async () => {
    expect((await service.api('PUT', shopsUrl('/shopify'), {})).status).toBe(422);
    const key = 'shpss_0123456789abcdef';
    await service.api('PUT', shopsUrl('/shopify'), { secret: key });
    const deliver = async (topic: string, body: string) =>
      await service.call('POST', `/webhooks/shopify/${property.toUpperCase()}`, {
        headers: {
          'X-Shopify-Topic': topic,
          'X-Shopify-Webhook-Id': 'w-1',
          'X-Shopify-Hmac-Sha256': sign(body, key),
        },
        body,
      });
    expect((await deliver('orders/paid', today(shopifyOrder()))).body).toMatchObject({ result: 'stored' });
    expect((await deliver('refunds/create', JSON.stringify(shopifyRefund(9, '20.00')))).body).toMatchObject({
      conversions: [{ topic: 'refund' }],
    });
    const redact = { customer: { email: 'jane@customer.example' }, orders_to_redact: [820982911946] };
    expect((await deliver('customers/redact', JSON.stringify(redact))).status).toBe(200);
    const visitors = async () => {
      const { body } = await service.api('GET', `/api/v1/properties/${property}/conversions`);
      return (body as { items: { visitor_id: string | null }[] }).items.map((item) => item.visitor_id);
    };
    // The shops share their customer: all of her orders are erased.
    await expect.poll(visitors).toEqual([null, null, null, null]);
    const audit = await service.api('GET', '/api/v1/organization/audit?limit=5');
    expect(JSON.stringify(audit.body)).toContain('visitor.erased');
  });

  it('speaks HTTP/1.0, as WordPress does', async () => {
    const body = JSON.stringify({ id: 1 });
    const headers = [
      `POST /webhooks/woocommerce/${property} HTTP/1.0`,
      `Host: ${new URL(service.address).host}`,
      `Content-Length: ${body.length}`,
      'X-WC-Webhook-Topic: coupon.created',
      `X-WC-Webhook-Signature: ${sign(body, secret)}`,
    ];
    const { status, text } = await rawRequest(service.address, `${headers.join('\r\n')}\r\n\r\n${body}`);
    expect(status).toBe(200);
    expect(text).toContain('"result":"ignored"');
  });

  it('is refused alike for every reason, and a good delivery never for them', async () => {
    const body = today(wooOrder({ id: 800 }));
    const refusals = [
      await woo(body, { 'X-WC-Webhook-Signature': sign(body, 'wrong') }),
      await woo(body, { 'X-WC-Webhook-Signature': '' }),
      await woo(body, {}, '00000000-0000-4000-8000-000000000000'),
      await service.call('POST', `/webhooks/woocommerce/${property}`, { body: 'x'.repeat(10_000) }),
    ];
    const said = refusals.map(({ status, body: problem }) => [
      status,
      (problem as { detail: string }).detail,
    ]);
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(said[0]?.[0]).toBe(401);
    await Promise.all(
      Array.from({ length: 80 }, () => woo(body, { 'X-WC-Webhook-Signature': sign(body, 'wrong') })),
    );
    expect((await woo(body)).status).toBe(200);
    expect((await woo('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await service.call('GET', `/webhooks/woocommerce/${property}`)).status).toBe(405);
    expect((await service.call('POST', `/webhooks/magento/${property}`, { body })).status).toBe(404);
  });

  it('has its answered orders after a kill, and logs neither secret nor customer', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => 900 + index);
    const answered = await Promise.all(ids.map((id) => woo(today(wooOrder({ id })))));
    expect(answered.map(({ status }) => status)).toEqual(ids.map(() => 200));
    await service.stop('SIGKILL');
    await service.start();
    const { body } = await service.api('GET', `/api/v1/properties/${property}/conversions?limit=100`);
    const kept = (body as { items: { conversion_id: string }[] }).items.map(
      ({ conversion_id }) => conversion_id,
    );
    expect(kept).toEqual(expect.arrayContaining(ids.map(String)));
    expect((await woo(today(wooOrder({ id: 900 })))).body).toMatchObject({ result: 'repeated' });
    for (const told of [secret, 'jane@customer.example', '901820', TEST_VISITOR])
      expect(service.log).not.toContain(told);
  });
});
