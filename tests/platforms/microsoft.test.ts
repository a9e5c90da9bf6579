import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { createMicrosoft, MICROSOFT } from './microsoft.ts';

const EVENT = {
  eventType: 'custom',
  eventName: 'purchase',
  eventId: 'ord_1',
  eventTime: NOW / 1_000,
  eventSourceUrl: 'https://shop.example/thanks',
  adStorageConsent: 'G',
  userData: { clientUserAgent: 'Mozilla/5.0', em: HASH, msclkid: 'abc123' },
  customData: { transactionId: 'ord_1', value: 99.9, currency: 'USD', items: [{ id: 'sku1', quantity: 2 }] },
};

function microsoft() {
  const fake = createMicrosoft({ now: () => NOW });
  const send = (data: unknown[], more = {}, token = MICROSOFT.token, tag = MICROSOFT.tag) =>
    ask(fake, {
      target: `/v1/${tag}/events`,
      headers: { authorization: `Bearer ${token}` },
      body: { data, dataProvider: 'test', ...more },
    });
  return { fake, send };
}

it('takes an event once', () => {
  const { fake, send } = microsoft();
  expect(send([EVENT])).toMatchObject({ status: 200, body: { eventsReceived: 1 } });
  send([EVENT]);
  expect([fake.ledger.keys(), fake.ledger.absorbed.length]).toEqual([['ord_1'], 1]);
});

it.each([
  ['a plain e-mail', { 'userData.em': 'jane@mail.example' }],
  ['milliseconds', { eventTime: NOW }],
  ['eight days', { eventTime: NOW / 1_000 - 8 * 86_400 }],
  ['a consent of another platform', { adStorageConsent: 'GRANTED' }],
  ['text for a value', { 'customData.value': '99.90' }],
  ['nobody', { userData: {} }],
  ['no name', { eventName: undefined }],
])('names %s by its index, and takes the others where it may continue', (_what, change) => {
  const { fake, send } = microsoft();
  const bad = but(EVENT, { eventId: 'bad', ...change });
  const details = [{ index: 1, errorMessage: expect.any(String) }];
  expect(send([EVENT, bad])).toMatchObject({ status: 400, body: { eventsReceived: 0, error: { details } } });
  expect(send([EVENT, bad], { continueOnValidationError: true })).toMatchObject({
    status: 200,
    body: { eventsReceived: 1, error: { details } },
  });
  expect(send([bad], { continueOnValidationError: true }).status).toBe(400);
  expect(fake.ledger.keys()).toEqual(['ord_1']);
});

it('wants 1 to 1,000 events, its tag and its token', () => {
  const { send } = microsoft();
  expect(send([]).status).toBe(400);
  expect(send(Array.from({ length: 1_001 }, () => EVENT)).status).toBe(400);
  expect(send([EVENT], {}, 'x').status).toBe(401);
  expect(send([EVENT], {}, MICROSOFT.token, '1').status).toBe(404);
});
