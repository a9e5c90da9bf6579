import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { createPinterest, PINTEREST } from './pinterest.ts';

const EVENT = {
  event_name: 'checkout',
  action_source: 'web',
  event_time: NOW / 1_000,
  event_id: 'ord_1',
  event_source_url: 'https://shop.example/thanks',
  user_data: { em: [HASH], click_id: 'dj0yJnU9' },
  custom_data: {
    currency: 'USD',
    value: '99.90',
    contents: [{ id: 'sku1', item_price: '49.95', quantity: 2 }],
  },
};

function pinterest() {
  const fake = createPinterest({ now: () => NOW });
  const send = (data: unknown[], query = '', token = PINTEREST.token, account = PINTEREST.account) =>
    ask(fake, {
      target: `/v5/ad_accounts/${account}/events${query}`,
      headers: { authorization: `Bearer ${token}` },
      body: { data },
    });
  return { fake, send };
}

it('takes an event once, and a test never', () => {
  const { fake, send } = pinterest();
  expect(send([EVENT], '?test=true').status).toBe(200);
  expect(fake.ledger.accepted).toEqual([]);
  expect(send([EVENT]).body).toMatchObject({ num_events_processed: 1, events: [{ status: 'processed' }] });
  send([EVENT]);
  expect([fake.ledger.accepted.length, fake.ledger.absorbed.length]).toEqual([1, 1]);
});

it.each([
  ['an unknown member', { referrer_url: 'https://chatgpt.com/' }],
  ['an unknown member of custom_data', { 'custom_data.content_type': 'product' }],
  ['a number for a value', { 'custom_data.value': 99.9 }],
  ['a number for a price', { 'custom_data.contents': [{ item_price: 49.95 }] }],
  ['an address alone', { user_data: { client_ip_address: '203.0.113.7' } }],
  ['no id', { event_id: undefined }],
  ['a plain e-mail', { 'user_data.em': ['jane@mail.example'] }],
  ['a hash that is no list', { 'user_data.em': HASH }],
  ['milliseconds', { event_time: NOW }],
  ['an unknown event', { event_name: 'purchase' }],
])('answers 422 for %s, and takes the others', (_what, change) => {
  const { fake, send } = pinterest();
  const reply = send([but(EVENT, change), but(EVENT, { event_id: 'good' })]);
  expect(reply).toMatchObject({
    status: 422,
    body: {
      num_events_received: 2,
      num_events_processed: 1,
      events: [{ status: 'failed' }, { status: 'processed' }],
    },
  });
  expect(fake.ledger.keys()).toEqual(['checkout:good']);
});

it('takes an unknown member of user_data, and address with user agent for an e-mail', () => {
  const { send } = pinterest();
  const user_data = { client_ip_address: '203.0.113.7', client_user_agent: 'Mozilla/5.0', new_member: 1 };
  expect(send([but(EVENT, { user_data })]).status).toBe(200);
});

it('wants 1 to 1,000 events, its account and its token', () => {
  const { send } = pinterest();
  expect(send([]).status).toBe(400);
  expect(send(Array.from({ length: 1_001 }, () => EVENT)).status).toBe(400);
  expect(send([EVENT], '', 'x').status).toBe(401);
  expect(send([EVENT], '', PINTEREST.token, '1').status).toBe(403);
});
