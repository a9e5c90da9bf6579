import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { HOUR } from './fake.ts';
import { createTikTok, TIKTOK } from './tiktok.ts';

const EVENT = {
  event: 'Purchase',
  event_time: NOW / 1_000,
  event_id: 'ord_1',
  user: { email: HASH, ttclid: 'E.C.P.abc', ip: '203.0.113.7', user_agent: 'Mozilla/5.0' },
  properties: { contents: [{ content_id: 'sku1', price: 49.95, quantity: 2 }], value: 99.9, currency: 'USD' },
  page: { url: 'https://shop.example/thanks' },
};

function tiktok() {
  let now = NOW;
  const fake = createTikTok({ now: () => now });
  const send = (data: unknown[], more = {}, token = TIKTOK.token) =>
    ask(fake, {
      target: '/open_api/v1.3/event/track/',
      headers: { 'access-token': token },
      body: { event_source: 'web', event_source_id: TIKTOK.pixel, data, ...more },
    });
  const code = (...args: Parameters<typeof send>) => {
    const { status, body } = send(...args);
    expect(status).toBe(200);
    return (body as { code: number }).code;
  };
  const later = (ms: number) => {
    now += ms;
  };
  return { fake, code, later };
}

it('takes an event once in 48 hours', () => {
  const { fake, code, later } = tiktok();
  expect([code([EVENT]), code([EVENT])]).toEqual([0, 0]);
  later(48 * HOUR);
  expect(code([EVENT])).toBe(0);
  expect([fake.ledger.accepted.length, fake.ledger.absorbed.length]).toEqual([2, 1]);
});

it.each([
  ['a plain e-mail', { 'user.email': 'jane@mail.example' }],
  ['a list of hashes', { 'user.email': [HASH] }],
  ['milliseconds', { event_time: NOW }],
  ['29 days', { event_time: NOW / 1_000 - 29 * 86_400 }],
  ['a number for a product', { 'properties.contents': [{ content_id: 7 }] }],
  ['text for a value', { 'properties.value': '99.90' }],
  ['nobody', { user: {} }],
  ['the old form', { context: { ad: { callback: 'x' } } }],
])('says 40002 in a 200 for %s', (_what, change) => {
  const { fake, code } = tiktok();
  expect(code([but(EVENT, { event_id: 'good' }), but(EVENT, change)])).toBe(40_002);
  expect(fake.ledger.accepted).toEqual([]);
});

it('wants tests alone, 1 to 1,000 events, and its token', () => {
  const { fake, code } = tiktok();
  expect(code([EVENT], { test_event_code: 'TEST1' })).toBe(0);
  expect(code([EVENT, EVENT], { test_event_code: 'TEST1' })).toBe(40_002);
  expect(code([EVENT], {}, 'other')).toBe(40_001);
  expect(code([])).toBe(40_002);
  expect(code(Array.from({ length: 1_001 }, () => EVENT))).toBe(40_002);
  expect(fake.error(429, '').body).toMatchObject({ code: 40_100 });
  expect([fake.ledger.accepted.length, fake.ledger.tests.length]).toEqual([0, 1]);
});
