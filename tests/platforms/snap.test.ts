import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { createSnap, SNAP } from './snap.ts';

const EVENT = {
  event_name: 'PURCHASE',
  event_time: NOW / 1_000,
  event_id: 'ord_1',
  action_source: 'WEB',
  event_source_url: 'https://shop.example/thanks',
  user_data: { em: [HASH], sc_click_id: 'abc' },
  custom_data: { value: 99.9, currency: 'USD', contents: [{ id: 'sku1', quantity: 2, item_price: 49.95 }] },
};

function snap() {
  const fake = createSnap({ now: () => NOW });
  const send = (data: unknown[], rest = '', token = SNAP.token, pixel = SNAP.pixel) =>
    ask(fake, { target: `/v3/${pixel}/events${rest}?access_token=${token}`, body: { data } });
  return { fake, send };
}

it('takes seconds and milliseconds, and an event once', () => {
  const { fake, send } = snap();
  expect(send([EVENT], '/validate')).toEqual({ status: 200, body: { status: 'VALID' } });
  expect(send([EVENT, but(EVENT, { event_id: 'ms', event_time: NOW })]).status).toBe(200);
  send([EVENT]);
  expect(fake.ledger.keys()).toEqual(['PURCHASE:ms', 'PURCHASE:ord_1']);
  expect([fake.ledger.absorbed.length, fake.ledger.tests.length]).toEqual([1, 1]);
});

it.each([
  ['a plain e-mail', { 'user_data.em': ['jane@mail.example'] }],
  ['text for a value', { 'custom_data.value': '99.90' }],
  ['38 days', { event_time: NOW / 1_000 - 38 * 86_400 }],
  ['an unknown event', { event_name: 'LEAD' }],
  ['a source in lower case', { action_source: 'website' }],
  ['a click alone', { user_data: { sc_click_id: 'abc' } }],
])('refuses the request for %s', (_what, change) => {
  const { fake, send } = snap();
  expect(send([but(EVENT, { event_id: 'good' }), but(EVENT, change)])).toMatchObject({
    status: 400,
    body: { status: 'INVALID', reason: expect.any(String) },
  });
  expect(fake.ledger.accepted).toEqual([]);
});

it('wants 1 to 2,000 events, its pixel and its token', () => {
  const { send } = snap();
  expect(send([]).status).toBe(400);
  expect(send(Array.from({ length: 2_001 }, () => EVENT)).status).toBe(400);
  expect(send([EVENT], '', 'x').status).toBe(401);
  expect(send([EVENT], '', SNAP.token, 'abc').status).toBe(403);
});
