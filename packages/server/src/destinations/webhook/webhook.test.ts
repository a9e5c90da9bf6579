import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { define } from '../define.ts';
import { answerOf, authOf, consentOf, contextOf, conversionOf, eventOf, sha } from '../testing.ts';
import { exampleOf, FULL_CONTEXT } from '../testing-samples.ts';
import { classify } from './classify.ts';
import { config, credentials } from './config.ts';
import { readHeaders } from './headers.ts';
import { webhook } from './index.ts';

const CONFIG = config.parse(exampleOf(config));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLDER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const mapped = (changes = {}, context = FULL_CONTEXT, given = CONFIG) =>
  webhook.map(conversionOf(changes), context, given, 'conversion.purchase');
const dataOf = (outcome: ReturnType<typeof mapped>) =>
  eventOf(outcome)['data'] as Readonly<Record<string, unknown>>;

describe('a request', () => {
  const auth = { ...authOf({ signing_secret: SECRET }), now: Date.now() };

  it('is verified by the library that receivers use, and not with another secret', () => {
    const { headers, body } = webhook.build([eventOf(mapped())], CONFIG, auth);
    expect(new Webhook(SECRET).verify(body ?? '', { ...headers })).toMatchObject({
      type: 'conversion.purchase',
    });
    expect(() => new Webhook(OLDER).verify(body ?? '', { ...headers })).toThrow(WebhookVerificationError);
    expect(() => new Webhook(SECRET).verify(`${body} `, { ...headers })).toThrow(WebhookVerificationError);
  });

  it('has one id over all attempts, and the time of each', () => {
    const event = eventOf(mapped());
    const [first, second] = [0, 600_000].map((later) =>
      webhook.build([event], CONFIG, { ...auth, now: auth.now + later }),
    );
    expect(first?.headers['webhook-id']).toBe('cnv_0123456789abcdef0123456789abcdef');
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(
      600,
    );
    expect(() => new Webhook(SECRET).verify(second?.body ?? '', { ...second?.headers })).toThrow(
      /timestamp/i,
    );
  });

  it('is signed by both secrets while one is exchanged for the other', () => {
    const both = { ...auth, credentials: { signing_secret: SECRET, previous_signing_secret: OLDER } };
    const { headers, body } = webhook.build([eventOf(mapped())], CONFIG, both);
    for (const secret of [SECRET, OLDER])
      expect(new Webhook(secret).verify(body ?? '', { ...headers })).toBeTypeOf('object');
  });

  it('arrives with the user’s own headers, which change none of ours', async () => {
    const given = {
      ...auth,
      credentials: {
        signing_secret: SECRET,
        headers: 'Authorization: Bearer a\nX-Shop: Koeln',
      },
    };
    const { url, headers, body } = webhook.build([eventOf(mapped())], CONFIG, given);
    const received = Promise.withResolvers<NodeJS.Dict<string | string[]>>();
    const server = createServer((request, response) => {
      received.resolve(request.headers);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, { method: 'POST', headers, body });
    expect(await received.promise).toMatchObject({
      authorization: 'Bearer a',
      'x-shop': 'Koeln',
      'content-type': 'application/json',
      'webhook-id': 'cnv_0123456789abcdef0123456789abcdef',
    });
    server.close();
  });
});

describe('the data', () => {
  it('has money as text, times as RFC 3339, and digests of the person', () => {
    expect(dataOf(mapped({ value: '12345678901234567890.01' }))).toMatchObject({
      value: '12345678901234567890.01',
      occurred_at: '2026-12-02T00:00:00.000Z',
      user_data: { email_sha256: sha.email, country: 'US' },
      attribution: { channel: 'paid_search', click_ids: { gclid: 'Cj0KCQiA' } },
    });
  });

  it('has nothing of the person where the setting says so', () => {
    expect(dataOf(mapped({}, FULL_CONTEXT, { ...CONFIG, user_data: 'none' }))).not.toHaveProperty(
      'user_data',
    );
  });

  it('has neither person nor click ids of who denied advertising, though it may be sent', () => {
    const settings = { config: { ...CONFIG, consent: 'none' as const }, events: {} };
    const context = { ...FULL_CONTEXT, ...consentOf('denied') };
    const outcome = decide(define(webhook), settings, conversionOf(), context, 0);
    if ('skip' in outcome) throw new Error(outcome.skip);
    expect(outcome.event['data']).not.toHaveProperty('user_data');
    expect(outcome.event['data']).not.toHaveProperty('attribution.click_ids');
    expect(outcome.event['data']).toHaveProperty('attribution.channel');
  });

  it('says nothing of a visit of which nothing is known', () => {
    expect(dataOf(mapped({ user: null }, contextOf({}, {}, { visitorId: null })))).not.toHaveProperty(
      'attribution',
    );
  });
});

it.each([
  ['advertising', 'denied', 'granted', 'consent_denied'],
  ['advertising', 'granted', 'denied', undefined],
  ['advertising', 'unknown', 'unknown', undefined],
  ['analytics', 'denied', 'granted', undefined],
  ['analytics', 'granted', 'denied', 'consent_denied'],
  ['none', 'denied', 'denied', undefined],
] as const)(
  'needs consent to %s: with advertising %s and analytics %s',
  (needed, advertising, analytics, skip) => {
    const context = { ...FULL_CONTEXT, consent: { advertising, analytics, saleOfData: null } };
    const outcome = decide(
      define(webhook),
      { config: { ...CONFIG, consent: needed }, events: {} },
      conversionOf(),
      context,
      0,
    );
    expect('skip' in outcome ? outcome.skip : undefined).toBe(skip);
  },
);

it.each([
  ['https://crm.example/hooks?shop=1', true],
  ['https://crm.example:8443/', true],
  ['https://xn--bcher-kva.example/', true],
  ['https://bücher.example/', true],
  ['http://crm.example/', false],
  ['https://user:pass@crm.example/', false],
  ['https://crm.example/#x', false],
  ['https://localhost/', false],
  ['https://127.0.0.1/', false],
  ['https://2130706433/', false],
  ['https://0x7f.1/', false],
  ['https://[::1]/', false],
  ['https://crm.example./', false],
  ['ftp://crm.example/', false],
  ['crm.example', false],
  [`https://crm.example/${'x'.repeat(2048)}`, false],
])('takes the address %s: %s', (url, taken) => {
  expect(config.safeParse({ url }).success).toBe(taken);
});

it.each([
  ['X-Api-Key: abc', { 'x-api-key': 'abc' }],
  ['A: 1\r\nB:2\n\n', { a: '1', b: '2' }],
  ['A:', { a: '' }],
  ['', {}],
  ['no colon', null],
  ['A: 1\nA: 2', null],
  ['Host: evil.example', null],
  ['content-length: 0', null],
  ['Content-Type: text/plain', null],
  ['Webhook-Id: x', null],
  ['transfer-encoding: chunked', null],
  ['X-Forwarded-For: 10.0.0.1', null],
  ['Cookie: a=b', null],
  ['A: ü', null],
  ['A: 1\u0000', null],
  [Array.from({ length: 11 }, (_, n) => `H${n}: 1`).join('\n'), null],
])('reads the headers %j', (text, headers) => {
  expect(readHeaders(text)).toEqual(headers);
  expect(credentials.safeParse({ signing_secret: SECRET, headers: text }).success).toBe(headers !== null);
});

it.each([
  [SECRET, true],
  ['whsec_', false],
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', false],
  ['whsec_short', false],
  [`whsec_${'A'.repeat(100)}`, false],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!!', false],
])('takes the secret %s: %s', (signing_secret, taken) => {
  expect(credentials.safeParse({ signing_secret }).success).toBe(taken);
});

it.each([
  [200, 'delivered'],
  [201, 'delivered'],
  [204, 'delivered'],
  [301, 'config'],
  [308, 'config'],
  [400, 'refused'],
  [401, 'auth'],
  [403, 'auth'],
  [404, 'refused'],
  [408, 'retry'],
  [409, 'refused'],
  [410, 'config'],
  [422, 'refused'],
  [425, 'retry'],
  [429, 'throttled'],
  [500, 'retry'],
  [502, 'retry'],
  [503, 'retry'],
  [504, 'retry'],
])('reads status %s as %s, and nothing of what is said with it', (status, kind) => {
  const [verdict] = classify(answerOf(status, 'Jane Doe is unknown'), [{}]);
  expect(verdict?.kind).toBe(kind);
  expect(JSON.stringify(verdict)).not.toContain('Jane');
});
