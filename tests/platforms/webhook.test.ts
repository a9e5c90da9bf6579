import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { ask, NOW } from './asking.ts';
import { createWebhook } from './webhook.ts';

const BODY = JSON.stringify({
  type: 'conversion.purchase',
  timestamp: new Date(NOW).toISOString(),
  data: {},
});

function receiver() {
  const fake = createWebhook({ now: () => NOW });
  /** @param key bytes of the secret; other than the receiver's, it is a foreign one */
  const send = (given: { id?: string; at?: number; body?: string; signed?: string; key?: Buffer } = {}) => {
    const { id = 'msg_1', at = NOW / 1_000, body = BODY, signed = body, key = Buffer.alloc(32, 7) } = given;
    const signature = createHmac('sha256', key).update(`${id}.${at}.${signed}`).digest('base64');
    return ask(fake, {
      target: '/ghostlight',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    }).status;
  };
  return { fake, send };
}

it('takes what is signed, once for its id', () => {
  const { fake, send } = receiver();
  expect([send(), send(), send({ id: 'msg_2' })]).toEqual([200, 200, 200]);
  expect([fake.ledger.keys(), fake.ledger.absorbed.length]).toEqual([['msg_1', 'msg_2'], 1]);
});

it('refuses what is not signed, signed for another body, by another key, six minutes ago or in milliseconds', () => {
  const { fake, send } = receiver();
  expect(send({ signed: '{}' })).toBe(401);
  expect(send({ key: Buffer.alloc(32, 8) })).toBe(401);
  expect(send({ at: NOW / 1_000 - 301 })).toBe(400);
  expect(send({ at: NOW })).toBe(400);
  expect(send({ id: '' })).toBe(400);
  expect(send({ body: '[]' })).toBe(400);
  expect(ask(fake, { target: '/ghostlight', body: BODY }).status).toBe(400);
  expect(fake.ledger.accepted).toEqual([]);
});

it('takes one of several signatures, as while a secret is changed', () => {
  const { fake } = receiver();
  const at = String(NOW / 1_000);
  const of = (byte: number) =>
    `v1,${createHmac('sha256', Buffer.alloc(32, byte)).update(`a.${at}.${BODY}`).digest('base64')}`;
  const headers = { 'webhook-id': 'a', 'webhook-timestamp': at, 'webhook-signature': `${of(1)} ${of(7)}` };
  expect(ask(fake, { target: '/ghostlight', headers, body: BODY }).status).toBe(200);
});
