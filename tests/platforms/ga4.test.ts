import { expect, it } from 'vitest';
import { ask, but, HASH, HASH_OF_NOTHING, NOW } from './asking.ts';
import { DAY } from './fake.ts';
import { createGa4, GA4 } from './ga4.ts';

const BODY = {
  client_id: '1234567890.1796000000',
  timestamp_micros: String(NOW * 1_000),
  consent: { ad_user_data: 'GRANTED', ad_personalization: 'DENIED' },
  user_data: { sha256_email_address: [HASH] },
  events: [
    {
      name: 'purchase',
      params: {
        transaction_id: 'ord_1',
        value: 99.9,
        currency: 'USD',
        items: [{ item_id: 'sku1', quantity: 2, price: 49.95 }],
        session_id: '1796000000',
        engagement_time_msec: 1,
      },
    },
  ],
};
const event = (name: string, params: object = {}) => ({ events: [{ name, params }] });
const query = `?measurement_id=${GA4.measurementId}&api_secret=${GA4.apiSecret}`;

function ga4() {
  const fake = createGa4({ now: () => NOW });
  return {
    fake,
    send: (change = {}, target = `/mp/collect${query}`) => ask(fake, { target, body: but(BODY, change) }),
  };
}

it('keeps a purchase once for its transaction, and every other event each time', () => {
  const { fake, send } = ga4();
  for (let time = 0; time < 2; time += 1) {
    expect(send()).toEqual({ status: 204 });
    send(event('generate_lead', { value: 1, currency: 'EUR' }));
    send(event('refund', { transaction_id: 'ord_1' }));
  }
  expect(fake.ledger.accepted).toHaveLength(5);
  expect(fake.ledger.absorbed.map(({ key }) => key)).toEqual(['purchase:ord_1']);
});

it.each([
  ['no client', { client_id: undefined }],
  ['a client that no browser has', { client_id: 'visitor-1' }],
  ['milliseconds', { timestamp_micros: String(NOW) }],
  ['four days', { timestamp_micros: String((NOW - 4 * DAY) * 1_000) }],
  ['a plain e-mail', { 'user_data.sha256_email_address': ['jane'] }],
  ['the hash of nothing', { 'user_data.sha256_email_address': [HASH_OF_NOTHING] }],
  ['a consent of another platform', { 'consent.ad_user_data': 'CONSENT_GRANTED' }],
  ['a reserved name', event('ga_purchase')],
  ['a reserved event', event('session_start')],
  ['a name with a blank', event('my event')],
  ['a name of 41 characters', event('a'.repeat(41))],
  ['26 params', event('x', Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`p${index}`, 1])))],
  ['a long value', event('x', { coupon: 'x'.repeat(101) })],
  ['an item without id and name', event('x', { items: [{ quantity: 1 }] })],
  ['a value without currency', event('x', { value: 1 })],
  ['a purchase without transaction', event('purchase', { value: 1, currency: 'EUR' })],
  ['no events', { events: [] }],
  ['26 events', { events: Array.from({ length: 26 }, () => ({ name: 'x' })) }],
  ['too many bytes', event('x', { a: 'x'.repeat(131_000) })],
])('answers 204 to %s too, and keeps nothing', (_what, change) => {
  const { fake, send } = ga4();
  expect(send(change)).toEqual({ status: 204 });
  expect([fake.ledger.accepted.length, fake.ledger.refusals.length]).toEqual([0, 1]);
});

it('drops what has another secret without a word', () => {
  const { fake, send } = ga4();
  expect(send({}, `/mp/collect?measurement_id=${GA4.measurementId}&api_secret=x`)).toEqual({ status: 204 });
  expect(fake.ledger.accepted).toEqual([]);
});

it('says in debug what is wrong, keeps nothing, and does not look at the secret', () => {
  const { fake, send } = ga4();
  const debug = '/debug/mp/collect?measurement_id=G-1&api_secret=x';
  expect(send({}, debug)).toEqual({ status: 200, body: { validationMessages: [] } });
  expect(send({ client_id: 'x' }, debug).body).toMatchObject({
    validationMessages: [
      { fieldPath: 'client_id', description: expect.any(String), validationCode: 'VALUE_INVALID' },
    ],
  });
  expect(fake.ledger.accepted).toEqual([]);
});
