import { expect, it } from 'vitest';
import { ask, but, HASH, NOW } from './asking.ts';
import { DAY, type Json } from './fake.ts';
import { createGoogle, GOOGLE } from './google.ts';

const EVENT = {
  transactionId: 'ord_1',
  eventTimestamp: new Date(NOW).toISOString(),
  eventSource: 'WEB',
  adIdentifiers: { gclid: 'Cj0KCQiA' },
  userData: { userIdentifiers: [{ emailAddress: HASH }] },
  conversionValue: 99.9,
  currency: 'USD',
};
const BODY = {
  destinations: [
    {
      operatingAccount: { accountType: 'GOOGLE_ADS', accountId: GOOGLE.operatingAccount },
      productDestinationId: GOOGLE.actions[0],
    },
  ],
  encoding: 'HEX',
};

function google(options = {}) {
  const fake = createGoogle({ now: () => NOW, ...options });
  const ingest = (events: unknown[], more: Json = {}, token = fake.secrets.access_token) =>
    ask(fake, {
      target: '/v1/events:ingest',
      headers: { authorization: `Bearer ${token}` },
      body: { ...BODY, events, ...more },
    });
  const status = (reply: { body?: unknown }) => {
    const { requestId } = reply.body as { requestId: string };
    const asked = ask(fake, {
      method: 'GET',
      target: `/v1/requestStatus:retrieve?requestId=${requestId}`,
      headers: { authorization: `Bearer ${fake.secrets.access_token}` },
    });
    return (asked.body as { requestStatusPerDestination: Json[] }).requestStatusPerDestination[0];
  };
  return { fake, ingest, status };
}

it('takes events, and says later what became of them', () => {
  const { fake, ingest, status } = google();
  fake.doomed.set(`${GOOGLE.actions[0]}:bad`, 'INVALID_GCLID');
  const good = ingest([EVENT]);
  expect(good).toMatchObject({ status: 200, body: { requestId: expect.any(String) } });
  expect(status(good)).toMatchObject({ requestStatus: 'PROCESSING' });
  expect(status(good)).toMatchObject({
    requestStatus: 'SUCCESS',
    eventsIngestionStatus: { recordCount: '1' },
  });
  const mixed = ingest([but(EVENT, { transactionId: 'bad' }), but(EVENT, { transactionId: 'ord_2' })]);
  status(mixed);
  expect(status(mixed)).toMatchObject({
    requestStatus: 'PARTIAL_SUCCESS',
    errorInfo: { errorCounts: [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_INVALID_GCLID' }] },
  });
  const old = ingest([
    but(EVENT, { transactionId: 'old', eventTimestamp: new Date(NOW - 91 * DAY).toISOString() }),
  ]);
  status(old);
  expect(status(old)).toMatchObject({ requestStatus: 'FAILED' });
  expect(fake.ledger.keys()).toEqual(['456789:ord_1', '456789:ord_2']);
});

it('restates a transaction by another value, and absorbs the same', () => {
  const { fake, ingest } = google();
  ingest([EVENT]);
  ingest([EVENT]);
  ingest([but(EVENT, { conversionValue: 0 })]);
  const { accepted, absorbed, restated } = fake.ledger;
  expect([accepted.length, absorbed.length, restated.length]).toEqual([1, 1, 1]);
});

it('refuses denied consent later, and a test never counts', () => {
  const { fake, ingest, status } = google({ processing: 0 });
  const denied = ingest([EVENT], { consent: { adUserData: 'CONSENT_DENIED' } });
  expect(status(denied)).toMatchObject({
    errorInfo: { errorCounts: [{ reason: 'PROCESSING_ERROR_REASON_DENIED_CONSENT' }] },
  });
  expect(ingest([EVENT], { validateOnly: true }).status).toBe(200);
  expect([fake.ledger.accepted.length, fake.ledger.tests.length]).toEqual([0, 1]);
});

it.each([
  ['a plain e-mail', { userData: { userIdentifiers: [{ emailAddress: 'jane@mail.example' }] } }],
  ['no identifier', { userData: undefined, adIdentifiers: undefined }],
  ['both braids', { adIdentifiers: { gbraid: 'a', wbraid: 'b' } }],
  [
    'half an address',
    { userData: { userIdentifiers: [{ address: { givenName: HASH, familyName: HASH } }] } },
  ],
  [
    'two things in one identifier',
    { userData: { userIdentifiers: [{ emailAddress: HASH, phoneNumber: HASH }] } },
  ],
  ['a time in seconds', { eventTimestamp: NOW / 1_000 }],
  ['tomorrow', { eventTimestamp: new Date(NOW + DAY).toISOString() }],
  ['no transaction', { transactionId: undefined }],
  ['a value without currency', { currency: undefined }],
  ['text for a value', { conversionValue: '99.90' }],
  ['what needs an allow-list', { 'adIdentifiers.sessionAttributes': 'x' }],
])('fails the whole request fast for %s', (_what, change) => {
  const { fake, ingest } = google();
  expect(ingest([but(EVENT, { transactionId: 'good' }), but(EVENT, change)])).toMatchObject({
    status: 400,
    body: { error: { status: 'INVALID_ARGUMENT', details: [{}, { fieldViolations: [{}] }] } },
  });
  expect(fake.ledger.accepted).toEqual([]);
});

it('wants 1 to 2,000 events, an encoding, its account and a token', () => {
  const { ingest, fake } = google();
  const many = Array.from({ length: 2_001 }, (_, index) => but(EVENT, { transactionId: `o${index}` }));
  expect(ingest(many).status).toBe(400);
  expect(ingest(many.slice(1)).status).toBe(200);
  expect(ingest([EVENT], { encoding: undefined }).status).toBe(400);
  expect(ingest([EVENT], {}, 'other')).toMatchObject({
    status: 401,
    body: { error: { status: 'UNAUTHENTICATED' } },
  });
  const [destination] = BODY.destinations;
  expect(ingest([EVENT], { destinations: [{ ...destination, productDestinationId: '1' }] }).status).toBe(403);
  expect(fake.error(429, 'Too many.').body).toMatchObject({ error: { status: 'RESOURCE_EXHAUSTED' } });
});

it('gives out tokens for its refresh token alone', () => {
  const { fake, ingest } = google();
  const refresh = (more = {}) =>
    ask(fake, {
      target: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: fake.secrets.client_id,
        client_secret: fake.secrets.client_secret,
        refresh_token: fake.secrets.refresh_token,
        ...more,
      }).toString(),
    });
  const before = fake.secrets.access_token;
  const { access_token } = refresh().body as { access_token: string };
  expect([ingest([EVENT], {}, before).status, ingest([EVENT], {}, access_token).status]).toEqual([200, 200]);
  fake.secrets.access_token = 'revoked';
  expect([ingest([EVENT], {}, before).status, ingest([EVENT], {}, access_token).status]).toEqual([401, 401]);
  expect(refresh({ refresh_token: 'x' })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(refresh({ client_secret: 'x' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});
