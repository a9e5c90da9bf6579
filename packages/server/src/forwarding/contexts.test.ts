import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retentionLimits } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import type { MatchContext } from '../destinations/index.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { createMatching } from '../sessions/index.ts';
import { record } from '../sessions/record.ts';
import { accepted, CHROME, cipher, NOON } from '../sessions/testing.ts';
import { createWebhooks, type Webhooks } from '../webhooks/index.ts';
import { createContexts } from './contexts.ts';
import type { Loaded } from './delivery/ports.ts';
import { createForwarding, type Forwarding } from './index.ts';
import { OURS, TEST_PLATFORMS, TOKEN } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const COUNTRIES = {
  ...{ Austria: 'denied', de: 'denied', DE: 'denied', Deutschland: 'denied', France: 'denied', NO: 'denied' },
  ...{ Iceland: 'denied', LI: 'denied', GB: 'denied', 'United Kingdom': 'denied', CH: 'denied' },
  ...{ US: 'unknown', 'United States': 'unknown', CA: 'unknown', TR: 'unknown', 'Middle-earth': 'unknown' },
} as const;

/** Real sessions, real webhooks: a delivery is made of what a page reported and a shop posted. */
describe.each(databases.backends)('the context of a conversion on $name', (backend) => {
  let database: TestDatabase;
  let db: Database;
  let property: Property;
  let webhooks: Webhooks;
  let forwarding: Forwarding;
  let now: number;
  let key: string;
  const clock = () => now;
  const deps = () => ({ database: db, cipher, visits: createMatching(cipher), clock, log: silentLog });
  beforeEach(async () => {
    now = NOON;
    database = await backend.fresh({ clock });
    db = await database.node();
    property = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Shop',
      domain: 'shop.example',
    });
    forwarding = createForwarding({
      ...deps(),
      platforms: TEST_PLATFORMS,
      send: async () => ({ status: 200, headers: {}, body: '' }),
      node: 'test-node',
      retentionDays: 400,
      rotating: false,
    });
    webhooks = createWebhooks({
      engineOf: () => null,
      ...{ database: db, cipher, matching: createMatching(cipher), onConversion: forwarding.onConversion },
      retention: retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 }),
      ...{ rotating: false, erase: async () => undefined, clock, log: silentLog },
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    ({ key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 10_000 }));
    await forwarding.destinations.create(property, 'root', {
      ...{ platform: 'tiktok', name: 'Shop', config: { account: '123' }, events: {} },
      credentials: { access_token: TOKEN },
    });
  });
  afterEach(async () => {
    await forwarding.close();
    await webhooks.close();
    await database.remove();
  });

  const page = async (location: string, at: number, values: Record<string, unknown> = {}) => {
    const event = accepted(
      property,
      {
        page_location: location,
        event_time: at / 1_000,
        session_id: `s-${at}`,
        session_start: true,
        ...values,
      },
      { receivedAt: at },
    );
    await db.kysely.transaction().execute((trx) => record(trx, [event], async () => undefined));
  };
  const post = async (topic: string, body: Record<string, unknown>) => {
    const { body: answer } = await webhooks.receive({
      ...{ attributionId: property.id, topic, boundTo: null, ip: '198.51.100.7' },
      ...{ authorization: `Bearer ${key}`, idempotencyKey: undefined },
      readBody: async () => body,
    });
    return answer.id;
  };
  const purchase = (more: Record<string, unknown> = {}) =>
    post('purchase', {
      ...{ conversion_id: '1', value: '99.90', currency: 'EUR', visitor_id: 'visitor-1' },
      ...more,
    });
  const load = async (conversion: string, contexts = createContexts(deps())): Promise<Loaded | undefined> => {
    const rows = await db.reader
      .selectFrom('deliveries')
      .selectAll()
      .where('conversion_row', '=', conversion)
      .execute();
    const [row] = rows;
    return (await contexts.load(rows)).get(row?.id ?? '');
  };
  const loaded = async (conversion: string) => {
    const found = await load(conversion);
    if (found === undefined || !('context' in found)) throw new Error(JSON.stringify(found));
    return found;
  };
  const settle = (conversion: string, state: 'pending' | 'sending' | 'delivered' | 'accepted_async') =>
    db.kysely.updateTable('deliveries').set({ state }).where('conversion_row', '=', conversion).execute();

  it('is what the shop said, opened, and the visit that won', async () => {
    await page('https://shop.example/?gclid=Old1&fbclid=Fb1', NOON - 3 * DAY_MS, {
      browser_ids: { _fbp: 'fb.1.1.1', _ga: 'GA1.1.1.1' },
    });
    await page('https://shop.example/lamp?gclid=New2&utm_campaign=autumn', NOON - DAY_MS, {
      browser_ids: { _fbp: 'fb.1.2.2' },
      page_referrer: 'https://www.google.com/',
    });
    await page('https://shop.example/', NOON - HOUR_MS);
    const conversion = await purchase({
      ...{ tax: '15.95', shipping: '4.90', discount_code: 'AUTUMN' },
      products: [{ id: 'sku-1', name: 'Lamp', price: '49.95', quantity: 2, colour: 'red' }],
      user_data: {
        email: 'Jane@Shop.Example',
        phone: '+49 30 901820',
        address: { city: 'Berlin', country: 'DE' },
        loyalty: 'gold',
      },
      consent: { advertising: true, analytics: true },
      note: 'left at the neighbour’s',
    });
    const found = await loaded(conversion);
    expect(found.conversion).toEqual({
      id: conversion,
      attributionId: property.id,
      topic: 'purchase',
      conversionId: '1',
      refundId: null,
      eventName: null,
      occurredAt: NOON,
      receivedAt: NOON,
      value: '99.9',
      currency: 'EUR',
      tax: '15.95',
      shipping: '4.9',
      discountCode: 'AUTUMN',
      leadType: null,
      products: [
        {
          ...{ id: 'sku-1', name: 'Lamp', sku: null, quantity: '2', price: '49.95', discount: null },
          extra: { colour: 'red' },
        },
      ],
      user: {
        ...{ email: 'Jane@Shop.Example', phone: '+49 30 901820', firstName: null, lastName: null },
        address: { street: null, city: 'Berlin', region: null, postalCode: null, country: 'DE', extra: {} },
        extra: { loyalty: 'gold' },
      },
    });
    const expected: Partial<MatchContext> = {
      visitorId: 'visitor-1',
      firstSeen: NOON - 3 * DAY_MS,
      clickIds: {
        gclid: { value: 'New2', at: NOON - DAY_MS },
        fbclid: { value: 'Fb1', at: NOON - 3 * DAY_MS },
      },
      browserIds: { _fbp: 'fb.1.2.2', _ga: 'GA1.1.1.1' },
      client: { ip: '203.0.113.7', userAgent: CHROME },
      pageUrl: 'https://shop.example/lamp',
      referrer: 'https://www.google.com/',
      consent: { advertising: 'granted', analytics: 'granted', saleOfData: null },
      original: null,
    };
    expect(found.context).toMatchObject(expected);
    expect(found.context.touch).toMatchObject({ campaign: 'autumn', at: NOON - DAY_MS });
  });

  it.each(Object.entries(COUNTRIES))('takes silence from %s for %s', async (country, state) => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS, { consent: null, timezone: 'UTC' });
    const { context } = await loaded(await purchase({ user_data: { address: { country } } }));
    expect(context.consent).toEqual({ advertising: state, analytics: state, saleOfData: null });
  });

  it('goes by the time zone where no country is given, and by the country where one is', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS, {
      ...{ consent: null, timezone: 'Europe/Zurich' },
    });
    const consentOf = async (id: string, more: Record<string, unknown> = {}) =>
      (await loaded(await purchase({ conversion_id: id, ...more }))).context.consent.advertising;
    expect(await consentOf('1')).toBe('denied');
    expect(await consentOf('2', { user_data: { address: { country: 'US' } } })).toBe('unknown');
    expect(await consentOf('3', { consent: { advertising: true } })).toBe('granted');
    await webhooks.settings.update(property, 'root', { consentDefault: 'granted' });
    expect(await consentOf('4')).toBe('granted');
  });

  it('uses the visitor’s consent on the page, unless the shop says otherwise', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS, {
      consent: { analytics: true, advertising: false, sale_of_data: false },
      timezone: 'America/New_York',
    });
    const first = await loaded(await purchase());
    expect(first.context).toMatchObject({
      client: null,
      consent: { advertising: 'denied', analytics: 'granted', saleOfData: false },
    });
    const second = await loaded(await purchase({ conversion_id: '2', consent: { advertising: true } }));
    expect(second.context.consent).toEqual({
      advertising: 'granted',
      analytics: 'granted',
      saleOfData: false,
    });
  });

  it('of a refund waits until its purchase and older refunds are settled, then knows what is left', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS);
    const bought = await purchase();
    now += HOUR_MS;
    const refund = (id: string, value: string) =>
      post('refund', { conversion_id: '1', refund_id: id, value, currency: 'EUR' });
    const first = await refund('r1', '10.00');
    expect(await load(first)).toEqual({ wait: expect.any(Number) });
    await settle(bought, 'accepted_async');
    expect(await load(first)).toEqual({ wait: expect.any(Number) });
    await settle(bought, 'delivered');
    expect((await loaded(first)).context).toMatchObject({
      visitorId: 'visitor-1',
      clickIds: { gclid: { value: 'A' } },
      original: { conversionId: '1', occurredAt: NOON, value: '99.9', remaining: '89.9', forwarded: true },
    });
    now += HOUR_MS;
    const second = await refund('r2', '100.00');
    // What is known now counts for the older one too, and it waits for nothing younger.
    await settle(second, 'sending');
    expect((await loaded(first)).context.original?.remaining).toBe('0');
    await settle(second, 'pending');
    await settle(first, 'sending');
    expect(await load(second)).toEqual({ wait: expect.any(Number) });
    await settle(first, 'delivered');
    expect((await loaded(second)).context.original?.remaining).toBe('0');
  });

  it('of a refund whose purchase was never sent says so', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS);
    const bought = await purchase();
    await db.kysely.deleteFrom('deliveries').where('conversion_row', '=', bought).execute();
    const refund = await post('refund', { conversion_id: '1', value: '10', currency: 'EUR' });
    expect((await loaded(refund)).context.original?.forwarded).toBe(false);
  });

  it('is none where the personal data is deleted or the visitor erased, and says when no key opens it', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS);
    const expired = await purchase({ user_data: { email: 'jane@shop.example' } });
    const sealed = createContexts({
      ...deps(),
      cipher: createSecretCipher('another secret, long enough for tests'),
    });
    expect(await load(expired, sealed)).toEqual({ sealed: NOON });
    await db.kysely
      .updateTable('conversions')
      .set({ personal: null, personal_until: null, payload_digest: null })
      .execute();
    expect(await load(expired)).toEqual({ skip: 'data_expired' });
    const erased = await purchase({ conversion_id: '2' });
    await db.kysely
      .transaction()
      .execute(
        async (trx) =>
          void (await webhooks.eraseVisitor(trx, property, { visitors: ['visitor-1'], conversions: [] })),
      );
    expect(await load(erased)).toEqual({ skip: 'erased' });
    await db.kysely.deleteFrom('conversions').execute();
    expect(await load(erased)).toEqual({ skip: 'data_expired' });
  });

  it('waits ten minutes for a node that can open the visit, and then goes without its address', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS, {
      consent: { analytics: true, advertising: true },
    });
    const conversion = await purchase();
    const foreign = createMatching(createSecretCipher('another secret, long enough for tests'));
    const contexts = createContexts({ ...deps(), visits: foreign });
    expect((await loaded(conversion)).context.client).not.toBeNull();
    expect(await load(conversion, contexts)).toEqual({ sealed: NOON });
    now += 10 * 60_000;
    const late = await load(conversion, contexts);
    expect(late).toMatchObject({ context: { client: null, clickIds: { gclid: { value: 'A' } } } });
  });

  it('of a direct match is the conversion alone, and sent only with a consent of its own', async () => {
    // The first page was reached from the payment page: the visitor is known, and nothing brought them.
    await page('https://shop.example/thanks', NOON - HOUR_MS, { page_referrer: 'https://www.paypal.com/' });
    const silent = await purchase();
    expect(
      await db.reader
        .selectFrom('conversions')
        .select(['session_matched', 'match_reason', 'channel'])
        .execute(),
    ).toEqual([{ session_matched: 1, match_reason: 'direct', channel: 'direct' }]);
    expect((await loaded(silent)).context).toMatchObject({
      ...{ touch: null, client: null, pageUrl: null, clickIds: {}, visitorId: 'visitor-1' },
      consent: { advertising: 'denied' },
    });
    const agreed = await purchase({ conversion_id: '2', consent: { advertising: true } });
    expect((await loaded(agreed)).context.consent.advertising).toBe('granted');
    await settle(agreed, 'delivered');
    const refund = await post('refund', { conversion_id: '2' });
    expect((await loaded(refund)).context.touch).toBeNull();
    await db.kysely
      .transaction()
      .execute(
        async (trx) =>
          void (await webhooks.eraseVisitor(trx, property, { visitors: ['visitor-1'], conversions: [] })),
      );
    expect(await load(agreed)).toEqual({ skip: 'erased' });
  });

  it('goes without what is forgotten of the visit', async () => {
    await page('https://shop.example/?gclid=A', NOON - HOUR_MS);
    const conversion = await purchase();
    await db.kysely.deleteFrom('touches').execute();
    expect((await loaded(conversion)).context).toMatchObject({
      ...{ client: null, firstSeen: null, clickIds: { gclid: { value: 'A' } } },
      consent: { advertising: 'unknown' },
    });
  });
});
