import { expect, it } from 'vitest';
import { ask, but, HASH, HASH_OF_NOTHING, NOW } from './asking.ts';
import { DAY, HOUR } from './fake.ts';
import { createMeta, META } from './meta.ts';

const PURCHASE = {
  event_name: 'Purchase',
  event_time: NOW / 1_000,
  event_id: 'ord_1',
  action_source: 'website',
  event_source_url: 'https://shop.example/thanks',
  user_data: { em: [HASH], client_user_agent: 'Mozilla/5.0', fbc: `fb.1.${NOW - HOUR}.IwAR2abc` },
  custom_data: { value: 99.9, currency: 'USD' },
};
const target = `/v25.0/${META.pixel}/events?access_token=${META.token}`;
const send = (events: unknown, more = {}, to = target, fake = createMeta({ now: () => NOW })) => ({
  fake,
  reply: ask(fake, { target: to, body: { data: events, ...more } }),
});

it('takes an event, and a repetition of it within 48 hours as none', () => {
  let now = NOW;
  const fake = createMeta({ now: () => now });
  expect(send([PURCHASE], {}, target, fake).reply).toMatchObject({
    status: 200,
    body: { events_received: 1 },
  });
  now += 48 * HOUR - 1;
  send([PURCHASE], {}, target, fake);
  expect([fake.ledger.keys(), fake.ledger.absorbed.length]).toEqual([['Purchase:ord_1'], 1]);
  now += 1;
  send([PURCHASE], {}, target, fake);
  expect(fake.ledger.accepted).toHaveLength(2);
});

it.each([
  ['a plain e-mail', { 'user_data.em': ['jane@mail.example'] }],
  ['upper-case hex', { 'user_data.em': [HASH.toUpperCase()] }],
  ['the hash of nothing', { 'user_data.em': HASH_OF_NOTHING }],
  ['milliseconds', { event_time: NOW }],
  ['text for a number', { 'custom_data.value': '99.90' }],
  ['a website without a user agent', { 'user_data.client_user_agent': undefined }],
  ['a website without its URL', { event_source_url: undefined }],
  ['nothing of the customer', { action_source: 'system_generated', user_data: {} }],
  ['a click of the future', { 'user_data.fbc': `fb.1.${NOW + DAY}.abc` }],
  ['a click id in seconds', { 'user_data.fbc': `fb.1.${NOW / 1_000}.abc` }],
  ['an unknown member', { event_value: 1 }],
  ['a purchase without a value', { 'custom_data.value': undefined }, 2_804_009],
  ['an event of last week', { event_time: NOW / 1_000 - 7 * 86_400 - 1 }, 2_804_003],
  ['an event of tomorrow', { event_time: NOW / 1_000 + 86_400 }],
])('refuses the whole request for %s', (_what, change, subcode?: number) => {
  const { fake, reply } = send([but(PURCHASE, { event_id: 'good' }), but(PURCHASE, change)]);
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  if (subcode !== undefined) expect(reply.body).toMatchObject({ error: { error_subcode: subcode } });
  expect([fake.ledger.accepted.length, fake.ledger.refusals.length]).toEqual([0, 1]);
});

it('takes what is exactly seven days old, and more of a physical store', () => {
  const old = (days: number, more = {}) =>
    but(PURCHASE, { event_time: NOW / 1_000 - days * 86_400, ...more });
  expect(send([old(7)]).reply.status).toBe(200);
  expect(send([old(62, { action_source: 'physical_store' })]).reply.status).toBe(200);
});

it('keeps tests apart, and wants 1 to 1,000 events, its pixel and its token', () => {
  const { fake } = send([PURCHASE], { test_event_code: 'TEST123' });
  expect([fake.ledger.accepted.length, fake.ledger.tests.length]).toEqual([0, 1]);
  const many = Array.from({ length: 1_001 }, (_, index) => but(PURCHASE, { event_id: `o${index}` }));
  expect(send(many).reply.status).toBe(400);
  expect(send(many.slice(1)).fake.ledger.accepted).toHaveLength(1_000);
  expect(send([]).reply.status).toBe(400);
  expect(send([PURCHASE], {}, target.replace(META.token, 'x')).reply.body).toMatchObject({
    error: { code: 190 },
  });
  expect(send([PURCHASE], {}, target.replace(META.pixel, '1')).reply.body).toMatchObject({
    error: { code: 100, error_subcode: 33 },
  });
});
