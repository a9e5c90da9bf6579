/** The whole way of a conversion: page, webhook, match, and what each platform has of it in the end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  closeShop,
  connectAll,
  convert,
  type Delivery,
  deliveries,
  land,
  of,
  openShop,
  type Shop,
  settled,
  visitor,
} from '../harness/forwarding.ts';
import type { PlatformName } from '../platforms/index.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ LOG_LEVEL: 'debug' });
  await connectAll(shop);
});
afterAll(() => closeShop(shop));

const PERSON = {
  email: 'Jane.Private+shop@Mail.Example',
  phone: '+49 30 5550123',
  first_name: 'Janeprivate',
  last_name: 'Doeprivate',
  address: { street: 'Allee 1', city: 'Köln', region: 'NW', postal_code: 50667, country: 'DE' },
};
const FULL = {
  value: 99.9,
  currency: 'EUR',
  tax: 15.95,
  shipping: 4.9,
  discount_code: 'SAVE10',
  lead_type: 'demo',
  user_data: PERSON,
  products: [{ id: 'sku-1', name: 'Lampe „Nord“', quantity: 2, price: 49.95 }],
};
const TOPICS = ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const;
const NAMES = {
  meta: ['Purchase', 'Lead', 'CompleteRegistration', 'Subscribe'],
  google_ads: ['456789', '456790', '456791', '456792', '456793'],
  ga4: ['purchase', 'generate_lead', 'sign_up'],
  tiktok: ['Purchase', 'Lead', 'CompleteRegistration', 'Subscribe'],
  linkedin: ['23456', '23457', '23458', '23459', '23460'],
  pinterest: ['checkout', 'lead', 'signup', 'subscribe', 'custom'],
  snap: ['PURCHASE', 'CUSTOM_EVENT_1', 'SIGN_UP', 'SUBSCRIBE', 'CUSTOM_EVENT_2'],
  reddit: ['PURCHASE', 'LEAD', 'SIGN_UP'],
  openai: ['order_created', 'lead_created', 'registration_completed', 'subscription_created'],
} as const;

const everywhere = () => Object.keys(shop.platforms.of) as PlatformName[];

/** What a platform has accepted of an order, by the sender's id; at the receiver of webhooks by ours. */
const taken = (name: PlatformName, order: string, ours: string) =>
  shop.platforms.of[name].fake.ledger.accepted.filter(({ key }) =>
    name === 'webhook' ? key === ours : key === order || key.endsWith(`:${order}`),
  );

const byPlatform = (all: readonly Delivery[], ours: string) =>
  Object.fromEntries(all.filter((one) => one.conversion === ours).map((one) => [one.platform, one]));

it('brings every matched conversion to every platform once, full and with the least that is known', async () => {
  const known = await visitor(shop);
  const sent: { topic: string; index: number; order: string; ours: string }[] = [];
  for (const [index, topic] of TOPICS.entries())
    for (const [kind, more] of [
      ['full', FULL],
      ['least', topic === 'purchase' ? { value: 10, currency: 'EUR' } : {}],
    ] as const) {
      const order = `${kind}-${topic}`;
      const body = { visitor_id: known, conversion_id: order, ...more };
      const answer = await convert(
        shop,
        topic,
        topic === 'custom' ? { ...body, event_name: 'demo_booked' } : body,
      );
      expect(answer.session_matched, order).toBe(true);
      sent.push({ topic, index, order, ours: answer.id });
    }
  const all = await settled(shop);
  for (const name of everywhere()) {
    const { refusals, absorbed } = shop.platforms.of[name].fake.ledger;
    expect(refusals, name).toEqual([]);
    expect(absorbed, name).toEqual([]);
    for (const { order, ours, index } of sent) {
      const events = taken(name, order, ours);
      expect(
        events.map(({ key }) => key),
        `${order} at ${name}`,
      ).toHaveLength(1);
      expect(byPlatform(all, ours)[name], `${order} at ${name}`).toMatchObject({
        status: 'delivered',
        attempts: 1,
      });
      const wanted = (NAMES as Partial<Record<PlatformName, readonly string[]>>)[name]?.[index];
      if (wanted !== undefined) expect(events[0]?.key, `${order} at ${name}`).toBe(`${wanted}:${order}`);
    }
  }
  expect(all).toHaveLength(sent.length * everywhere().length);
});

it('sends nothing of a conversion that matches no visit, and all of it when the visit is recorded late', async () => {
  const late = randomUUID();
  const { id, session_matched } = await convert(shop, 'purchase', {
    ...FULL,
    visitor_id: late,
    conversion_id: 'late-1',
  });
  const alone = await convert(shop, 'purchase', { ...FULL, conversion_id: 'alone-1' });
  expect([session_matched, alone.session_matched]).toEqual([false, false]);
  expect((await deliveries(shop, 'q=late-1')).concat(await deliveries(shop, 'q=alone-1'))).toEqual([]);
  await land(shop, late);
  await expect.poll(async () => (await deliveries(shop, 'q=late-1')).length).toBe(everywhere().length);
  await settled(shop);
  for (const name of everywhere()) {
    expect(taken(name, 'late-1', id), name).toHaveLength(1);
    expect(taken(name, 'alone-1', alone.id), name).toHaveLength(0);
  }
});

it('tells no platform of a person who denied advertising, and Google Analytics without anything of the person', async () => {
  const known = await visitor(shop);
  const denied = await convert(shop, 'purchase', {
    ...FULL,
    visitor_id: known,
    conversion_id: 'denied-1',
    consent: { advertising: false, analytics: true },
  });
  const nothing = await convert(shop, 'purchase', {
    ...FULL,
    visitor_id: known,
    conversion_id: 'denied-2',
    consent: { advertising: false, analytics: false },
  });
  const all = await settled(shop);
  for (const name of everywhere()) {
    expect(taken(name, 'denied-2', nothing.id), name).toHaveLength(0);
    expect(byPlatform(all, nothing.id)[name], name).toMatchObject({
      status: 'skipped',
      reason: 'consent_denied',
    });
    expect(taken(name, 'denied-1', denied.id), name).toHaveLength(name === 'ga4' ? 1 : 0);
  }
  const call = shop.platforms.of.ga4.calls.find(({ text }) => text.includes('denied-1'));
  expect(call?.json).toMatchObject({ consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' } });
  expect(call?.json).not.toHaveProperty('user_data');
});

it('takes silence for what the property says of it', async () => {
  const silent = await visitor(shop, { consent: undefined, timezone: 'Europe/Berlin' });
  const away = await visitor(shop, { consent: undefined, timezone: 'America/New_York' });
  const person = (country: string) => ({ ...PERSON, address: { ...PERSON.address, country } });
  const order = (visitor_id: string, conversion_id: string, user_data: object) =>
    convert(shop, 'purchase', { ...FULL, visitor_id, conversion_id, user_data });
  const european = await order(silent, 'silent-de', person('DE'));
  const american = await order(away, 'silent-us', person('US'));
  const all = await settled(shop);
  expect(byPlatform(all, european.id)['meta']).toMatchObject({ status: 'skipped', reason: 'consent_denied' });
  expect(taken('google_ads', 'silent-us', american.id)).toHaveLength(1);
  const call = shop.platforms.of.google_ads.calls.find(({ text }) => text.includes('silent-us'));
  expect(call?.json).not.toHaveProperty('consent.adUserData');
});

it('refunds where a platform supports it: a new value at Google, an event at Google Analytics and the receiver', async () => {
  const known = await visitor(shop);
  await convert(shop, 'purchase', { ...FULL, value: 100, visitor_id: known, conversion_id: 'back-1' });
  // Before the purchase is known to have arrived: it waits.
  await convert(shop, 'refund', { conversion_id: 'back-1', refund_id: 'r-1', value: 30, currency: 'EUR' });
  await settled(shop);
  const last = await convert(shop, 'refund', { conversion_id: 'back-1', refund_id: 'r-2' });
  const all = await settled(shop);
  const { google_ads, ga4, webhook } = shop.platforms.of;
  const values = google_ads.fake.ledger.restated.map(({ event }) => [
    event['transactionId'],
    event['conversionValue'],
  ]);
  expect(values).toEqual([
    ['back-1', 70],
    ['back-1', 0],
  ]);
  expect(ga4.fake.ledger.accepted.filter(({ key }) => key === 'refund:back-1')).toHaveLength(2);
  expect(webhook.fake.ledger.accepted.filter(({ key }) => key === last.id)).toHaveLength(1);
  const outcome = byPlatform(all, last.id);
  expect(outcome['google_ads']).toMatchObject({ status: 'delivered' });
  expect(outcome['meta']).toMatchObject({ status: 'skipped', reason: 'unsupported_topic' });
});

it('restates nothing at Google of a purchase that Google never had', async () => {
  const known = await visitor(shop);
  const never = { visitor_id: known, conversion_id: 'never-1' };
  await convert(shop, 'purchase', { ...FULL, ...never, consent: { advertising: false, analytics: true } });
  const { id } = await convert(shop, 'refund', { ...never, consent: { advertising: true, analytics: true } });
  const all = await settled(shop);
  expect(byPlatform(all, id)['google_ads']).toMatchObject({
    status: 'skipped',
    reason: 'original_not_forwarded',
  });
});

it('takes a repetition of a conversion for no second event', async () => {
  const known = await visitor(shop);
  const body = { ...FULL, visitor_id: known, conversion_id: 'again-1' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => convert(shop, 'purchase', body)));
  await settled(shop);
  const [first] = answers;
  for (const name of everywhere()) expect(taken(name, 'again-1', first?.id ?? ''), name).toHaveLength(1);
});

it('accounts for every delivery as the platforms do', async () => {
  const all = await settled(shop);
  const { body } = await of(shop, 'GET', '/reports/forwarding');
  const { totals } = body as {
    totals: {
      received: number;
      matched: number;
      destinations: {
        platform: PlatformName;
        created: number;
        delivered: number;
        skipped: Record<string, number>;
      }[];
    };
  };
  const conversions = (await of(shop, 'GET', '/conversions?limit=200')).body as {
    items: { session_matched: boolean }[];
  };
  expect(totals.received).toBe(conversions.items.length);
  expect(totals.matched).toBe(conversions.items.filter((one) => one.session_matched).length);
  expect(totals.destinations).toHaveLength(everywhere().length);
  for (const { platform, created, delivered, skipped } of totals.destinations) {
    const { accepted, restated, absorbed } = shop.platforms.of[platform].fake.ledger;
    expect(delivered, platform).toBe(accepted.length + restated.length + absorbed.length);
    expect(created, platform).toBe(totals.matched);
    expect(created, platform).toBe(delivered + Object.values(skipped).reduce((sum, count) => sum + count, 0));
    expect(
      all.filter((one) => one.platform === platform && one.status === 'delivered'),
      platform,
    ).toHaveLength(delivered);
  }
});

it('shows a delivery with what was sent and answered, its secrets and its person masked', async () => {
  const secrets = everywhere().flatMap((name) => Object.entries(shop.platforms.of[name].fake.secrets));
  const hidden = secrets.filter(([name]) => /token|secret|key/i.test(name)).map(([, value]) => value);
  const full = await deliveries(shop, 'q=full-purchase');
  expect(full).toHaveLength(everywhere().length);
  for (const { id, platform } of full) {
    const { body } = await of(shop, 'GET', `/deliveries/${id}`);
    expect(body, platform).toMatchObject({
      request: { method: 'POST' },
      response: { status: expect.any(Number) },
    });
    const text = JSON.stringify(body);
    for (const secret of hidden) expect(text.includes(secret), `${platform} shows ${secret}`).toBe(false);
    expect(text, platform).not.toMatch(/private|5550123|[0-9a-f]{64}/i);
  }
});

it('writes neither credentials nor anything of a person into its log', () => {
  const { log } = shop.service;
  expect(log).toContain('listening');
  expect(log).not.toMatch(/jane\.private|janeprivate|doeprivate|5550123/i);
  for (const name of everywhere())
    for (const [member, value] of Object.entries(shop.platforms.of[name].fake.secrets))
      if (/token|secret|key/i.test(member)) expect(log.includes(value), `${name} ${member}`).toBe(false);
});
