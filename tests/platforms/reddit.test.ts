import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { HOUR } from './fake.ts';
import { createReddit, REDDIT } from './reddit.ts';

const EVENT = {
  event_at: NOW,
  action_source: 'WEBSITE',
  event_source_url: 'https://shop.example/thanks',
  click_id: 'abc',
  type: { tracking_type: 'PURCHASE' },
  metadata: { conversion_id: 'ord_1', currency: 'USD', value: 99.9, products: [{ id: 'sku1', quantity: 2 }] },
  user: { email: HASH, ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' },
};

function reddit() {
  const fake = createReddit({ now: () => NOW });
  const send = (events: unknown[], more = {}, token = REDDIT.token, pixel = REDDIT.pixel) =>
    ask(fake, {
      target: `/api/v3/pixels/${pixel}/conversion_events`,
      headers: { authorization: `Bearer ${token}` },
      body: { data: { events, ...more } },
    });
  return { fake, send };
}

it('takes an event of a type once', () => {
  const { fake, send } = reddit();
  const custom = but(EVENT, { type: { tracking_type: 'CUSTOM', custom_event_name: 'demo' } });
  expect(send([EVENT, custom])).toMatchObject({
    status: 200,
    body: { data: { message: expect.any(String) } },
  });
  send([EVENT]);
  expect([fake.ledger.keys(), fake.ledger.absorbed.length]).toEqual([['PURCHASE:ord_1', 'demo:ord_1'], 1]);
});

it.each([
  ['a plain e-mail', { 'user.email': 'jane@mail.example' }],
  ['seconds', { event_at: NOW / 1_000 }],
  ['a week and a moment', { event_at: NOW - 168 * HOUR - 1 }],
  ['six minutes ahead', { event_at: NOW + 6 * 60_000 }],
  ['text for a value', { 'metadata.value': '99.90' }],
  ['the names of v2', { 'type.tracking_type': 'Purchase' }],
  ['a custom event without a name', { 'type.tracking_type': 'CUSTOM' }],
  ['nobody', { click_id: undefined, user: {} }],
])('refuses the request for %s', (_what, change) => {
  const { fake, send } = reddit();
  expect(send([but(EVENT, { 'metadata.conversion_id': 'good' }), but(EVENT, change)]).status).toBe(400);
  expect(fake.ledger.accepted).toEqual([]);
});

it('wants tests alone, 1 to 1,000 events, its pixel and its token', () => {
  const { fake, send } = reddit();
  expect(send([EVENT], { test_id: 't2_1' }).status).toBe(200);
  expect(send([EVENT, EVENT], { test_id: 't2_1' }).status).toBe(400);
  expect([fake.ledger.accepted.length, fake.ledger.tests.length]).toEqual([0, 1]);
  expect(send([]).status).toBe(400);
  expect(send(Array.from({ length: 1_001 }, () => EVENT)).status).toBe(400);
  expect(send([EVENT], {}, 'x').status).toBe(401);
  expect(send([EVENT], {}, REDDIT.token, 'a2_x').status).toBe(403);
});
