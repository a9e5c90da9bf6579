import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { DAY } from './fake.ts';
import { createLinkedIn, LINKEDIN } from './linkedin.ts';

const rule = (id: string | undefined) => `urn:lla:llaPartnerConversion:${id}`;
const EVENT = {
  conversion: rule(LINKEDIN.rules[0]),
  conversionHappenedAt: NOW,
  conversionValue: { currencyCode: 'USD', amount: '99.90' },
  eventId: 'ord_1',
  user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: HASH }] },
};

function linkedin(options = {}) {
  const fake = createLinkedIn({ now: () => NOW, ...options });
  const headers = () => ({
    authorization: `Bearer ${fake.secrets.access_token}`,
    'linkedin-version': '202607',
    'x-restli-protocol-version': '2.0.0',
    'x-restli-method': 'BATCH_CREATE',
  });
  const send = (elements: unknown[], more: Record<string, string> = {}) =>
    ask(fake, { target: '/rest/conversionEvents', headers: { ...headers(), ...more }, body: { elements } });
  return { fake, send, headers };
}

it('takes an event of a rule once, alone or among others', () => {
  const { fake, send, headers } = linkedin();
  expect(send([EVENT, but(EVENT, { conversion: rule(LINKEDIN.rules[1]) })]).status).toBe(200);
  const { 'x-restli-method': _, ...alone } = headers();
  expect(ask(fake, { target: '/rest/conversionEvents', headers: alone, body: EVENT }).status).toBe(201);
  expect(fake.ledger.keys()).toEqual(['23456:ord_1', '23457:ord_1']);
  expect(fake.ledger.absorbed).toHaveLength(1);
});

it('names what is wrong by its index, and takes nothing of that request', () => {
  const { fake, send } = linkedin();
  const bad = [
    { conversionHappenedAt: NOW / 1_000 },
    { conversionHappenedAt: NOW - 91 * DAY },
    { 'conversionValue.amount': 99.9 },
    { 'user.userIds': [{ idType: 'SHA256_EMAIL', idValue: 'jane@mail.example' }] },
    { 'user.userIds': [] },
    { user: { userIds: [], userInfo: { firstName: 'Mary' } } },
    { eventId: 'x'.repeat(65) },
    { conversion: rule('1') },
    { 'user.externalIds': ['1', '2'] },
  ];
  const reply = send([EVENT, ...bad.map((change) => but(EVENT, change))]);
  expect(reply.status).toBe(422);
  const { message } = reply.body as { message: string };
  expect(message.match(/Index: \d+, ERROR :: /g)).toHaveLength(bad.length);
  expect(message).not.toContain('Index: 0,');
  expect(fake.ledger.accepted).toEqual([]);
});

it('refuses old versions, rules of the tag, tokens that were revoked, and more than 5,000', () => {
  const { send } = linkedin();
  expect(send([EVENT], { 'linkedin-version': '202511' }).status).toBe(426);
  expect(send([EVENT], { 'x-restli-protocol-version': '1.0.0' }).status).toBe(400);
  expect(send([EVENT], { 'x-restli-method': 'GET' }).status).toBe(400);
  expect(send([but(EVENT, { conversion: rule(LINKEDIN.tagRule) })])).toMatchObject({
    status: 400,
    body: { message: 'Conversion method should be CONVERSIONS_API, indices [0]' },
  });
  expect(send([EVENT], { authorization: 'Bearer x' })).toMatchObject({
    status: 401,
    body: { code: 'REVOKED_ACCESS_TOKEN' },
  });
  expect(send(Array.from({ length: 5_001 }, () => EVENT)).status).toBe(400);
});

it('gives out tokens, and may replace the refresh token with each', () => {
  const { fake } = linkedin({ rotates: true });
  const { access_token, ...form } = fake.secrets;
  const refresh = () =>
    ask(fake, {
      target: '/oauth/v2/accessToken',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', ...form }).toString(),
    });
  expect(refresh().body).toMatchObject({ refresh_token: fake.secrets.refresh_token });
  expect(fake.secrets.access_token).not.toBe(access_token);
  expect(refresh().body).toMatchObject({ error: 'invalid_grant' });
});
