import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerOf, OCCURRED } from '../testing.ts';
import { credentials } from './config.ts';
import { oauth } from './oauth.ts';
import { readServiceAccount } from './service-account.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): unknown }) =>
  key.export({ type: 'pkcs8', format: 'pem' });
const FILE = {
  type: 'service_account',
  client_email: 'ghostlight@project.iam.gserviceaccount.com',
  private_key_id: 'key-1',
  private_key: pem(rsa.privateKey),
  token_uri: 'https://evil.example/token',
};
const KEY = JSON.stringify(FILE, null, 2);
const USER = {
  client_id: 'id.apps.googleusercontent.com',
  client_secret: 's+cr&t=0',
  refresh_token: '1//0gAbCdEf',
};

describe('a user’s refresh token', () => {
  it('is exchanged as RFC 6749 says', () => {
    const request = oauth.tokenRequest(USER, OCCURRED);
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body ?? ''))).toEqual({
      grant_type: 'refresh_token',
      ...USER,
    });
  });
});

describe('a service account’s key', () => {
  const request = oauth.tokenRequest({ service_account_key: KEY }, OCCURRED + 999);
  const form = new URLSearchParams(request?.body ?? '');
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

  it('signs an assertion for Google’s own address, whatever the file says', () => {
    expect(request?.url).toBe('https://oauth2.googleapis.com/token');
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(read(claims)).toEqual({
      iss: FILE.client_email,
      scope: 'https://www.googleapis.com/auth/datamanager',
      aud: 'https://oauth2.googleapis.com/token',
      iat: OCCURRED / 1000,
      exp: OCCURRED / 1000 + 3600,
    });
  });

  it('signs it so that its public key verifies it', () => {
    const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
    expect(verify.verify(rsa.publicKey, signature, 'base64url')).toBe(true);
  });

  it.each([
    ['no JSON', 'key'],
    ['no key', JSON.stringify({ ...FILE, private_key: undefined })],
    ['no address', JSON.stringify({ ...FILE, client_email: undefined })],
    [
      'a key that is none',
      JSON.stringify({ ...FILE, private_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----' }),
    ],
    [
      'a key of another kind',
      JSON.stringify({ ...FILE, private_key: pem(generateKeyPairSync('ed25519').privateKey) }),
    ],
  ])('is refused with %s', (_what, text) => {
    expect(readServiceAccount(text)).toBe(null);
    expect(credentials.safeParse({ service_account_key: text }).success).toBe(false);
  });
});

it('wants one of the two whole, and says which is missing', () => {
  expect(credentials.safeParse(USER).success).toBe(true);
  expect(credentials.safeParse({ service_account_key: KEY }).success).toBe(true);
  for (const part of [{}, { ...USER, refresh_token: undefined }, { ...USER, client_id: undefined }])
    expect(credentials.safeParse(part).error?.issues[0]?.message).toMatch(/service account key/);
});

describe('an answer to a token request', () => {
  it('is a token', () => {
    const token = { access_token: 'ya29.x', expires_in: 3599, token_type: 'Bearer' };
    expect(oauth.readToken(answerOf(200, token))).toEqual({ accessToken: 'ya29.x', expiresInMs: 3_599_000 });
    expect(oauth.readToken(answerOf(200, { ...token, refresh_token: 'new' }))).toMatchObject({
      refreshToken: 'new',
    });
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'auth'],
    [401, { error: 'invalid_client' }, 'auth'],
    [401, { error: 'unauthorized_client' }, 'auth'],
    [403, '', 'auth'],
    [400, { error: 'invalid_scope' }, 'config'],
    [400, '', 'config'],
    [404, '<html>', 'config'],
    [429, '', 'retry'],
    [500, { error: 'internal_failure' }, 'retry'],
    [503, '', 'retry'],
    [200, '<html>', 'retry'],
    [200, { access_token: '' }, 'retry'],
  ])('%s %j means %s', (status, body, kind) => {
    expect(oauth.readToken(answerOf(status, body))).toMatchObject({ kind });
  });
});
