import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { DAY, MINUTE } from './fake.ts';
import { createOpenAi, OPENAI } from './openai.ts';

const EVENT = {
  id: 'ord_1',
  type: 'order_created',
  timestamp_ms: NOW,
  action_source: 'web',
  source_url: 'https://shop.example/thanks',
  oppref: 'oppref_abc',
  user: { email_sha256: HASH, country: 'US' },
  data: { type: 'contents', amount: 9_990, currency: 'USD' },
};

function openai() {
  const fake = createOpenAi({ now: () => NOW });
  const send = (events: unknown[], more = {}, token = OPENAI.token, pid = OPENAI.pixel) =>
    ask(fake, {
      target: `/v1/events?pid=${pid}`,
      headers: { authorization: `Bearer ${token}` },
      body: { events, ...more },
    });
  return { fake, send };
}

it('takes an event of a type once, and what is to be validated never', () => {
  const { fake, send } = openai();
  expect(send([EVENT], { validate_only: true }).status).toBe(200);
  expect([fake.ledger.accepted.length, fake.ledger.tests.length]).toEqual([0, 1]);
  const custom = but(EVENT, { type: 'custom', custom_event_name: 'demo', data: { type: 'custom' } });
  expect(send([EVENT, custom]).status).toBe(200);
  send([EVENT]);
  expect([fake.ledger.keys(), fake.ledger.absorbed.length]).toEqual([
    ['demo:ord_1', 'order_created:ord_1'],
    1,
  ]);
});

it.each([
  ['a plain e-mail', { 'user.email_sha256': 'jane@mail.example' }],
  ['seconds', { timestamp_ms: NOW / 1_000 }],
  ['more than seven days', { timestamp_ms: NOW - 7 * DAY - 1 }],
  ['eleven minutes ahead', { timestamp_ms: NOW + 11 * MINUTE }],
  ['parts of cents', { 'data.amount': 99.9 }],
  ['an amount without currency', { 'data.currency': undefined }],
  ['no strong identifier', { oppref: undefined, user: { country: 'US' } }],
  ['the web without its URL', { source_url: undefined }],
  ['data of another type', { 'data.type': 'plan_enrollment' }],
  ['a custom event without a name', { type: 'custom', 'data.type': 'custom' }],
  ['a custom event in capitals', { type: 'custom', custom_event_name: 'Demo', 'data.type': 'custom' }],
])('fails the whole batch for %s', (_what, change) => {
  const { fake, send } = openai();
  expect(send([but(EVENT, { id: 'good' }), but(EVENT, change)])).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param: expect.stringContaining('events[1]') } },
  });
  expect(fake.ledger.accepted).toEqual([]);
});

it('wants 1 to 1,000 events, its pixel and its key', () => {
  const { send } = openai();
  expect(send([]).status).toBe(400);
  expect(send(Array.from({ length: 1_001 }, () => EVENT)).status).toBe(400);
  expect(send([EVENT], {}, 'x').status).toBe(401);
  expect(send([EVENT], {}, OPENAI.token, '1').status).toBe(403);
});
