import { describe, expect, it } from 'vitest';
import { answerOf, authOf, OCCURRED } from '../testing.ts';
import { build } from './build.ts';
import { config, credentials } from './config.ts';
import { oauth } from './oauth.ts';

const GRANT = {
  client_id: 'client-of-ours',
  client_secret: 'secret-of-ours',
  refresh_token: 'refresh-of-ours',
};

describe('a request to LinkedIn', () => {
  it('names the version and the method that a list of events needs', () => {
    const request = build([{ eventId: 'a' }], config.parse({}), authOf({ access_token: 'plain-token' }));
    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.linkedin.com/rest/conversionEvents',
      headers: {
        authorization: 'Bearer plain-token',
        'content-type': 'application/json',
        'linkedin-version': '202607',
        'x-restli-protocol-version': '2.0.0',
        'x-restli-method': 'BATCH_CREATE',
      },
      body: '{"elements":[{"eventId":"a"}]}',
    });
  });

  it('prefers a token that was fetched', () => {
    const request = build(
      [],
      config.parse({ api_version: '202701' }),
      authOf({ access_token: 'old' }, 'new'),
    );
    expect(request.headers).toMatchObject({ authorization: 'Bearer new', 'linkedin-version': '202701' });
  });

  it.each(['2026', '202613', '20260701', 'v202607', '202607\r\nx: y'])(
    'is not made with the version %j',
    (api_version) => {
      expect(config.safeParse({ api_version }).success).toBe(false);
    },
  );
});

describe('the credentials of LinkedIn', () => {
  it.each([
    [{ access_token: 'token-of-ours' }, true],
    [GRANT, true],
    [{ ...GRANT, access_token: 'token-of-ours' }, true],
    [{}, false],
    [{ client_id: 'client-of-ours', refresh_token: 'refresh-of-ours' }, false],
    [{ access_token: 'with\nline-break' }, false],
  ])('%j are enough: %s', (given, isEnough) => {
    expect(credentials.safeParse(given).success).toBe(isEnough);
  });

  it('fetch a token where they can', () => {
    expect(oauth.tokenRequest({ access_token: 'token-of-ours' }, OCCURRED)).toBeNull();
    expect(oauth.tokenRequest({ ...GRANT, client_secret: 'a&b=c' }, OCCURRED)).toEqual({
      method: 'POST',
      url: 'https://www.linkedin.com/oauth/v2/accessToken',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&client_id=client-of-ours&client_secret=a%26b%3Dc&refresh_token=refresh-of-ours',
    });
  });

  it.each([
    [200, { access_token: 't', expires_in: 5_184_000 }, { accessToken: 't', expiresInMs: 5_184_000_000 }],
    [
      200,
      { access_token: 't', expires_in: 60, refresh_token: 'r' },
      { accessToken: 't', expiresInMs: 60_000, refreshToken: 'r' },
    ],
    [
      400,
      { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
      { kind: 'auth', code: 'invalid_grant', message: 'Token has been expired or revoked.' },
    ],
    [401, { error: 'invalid_client' }, { kind: 'auth', code: 'invalid_client' }],
    [429, {}, { kind: 'retry', code: 'http_429' }],
    [500, '<html>', { kind: 'retry', code: 'http_500' }],
    [200, '<html>', { kind: 'retry', code: 'http_200' }],
    [200, { access_token: 't' }, { kind: 'retry' }],
    [200, { access_token: 't', expires_in: -1 }, { kind: 'retry' }],
  ])('read an answer of %i %j', (status, body, read) => {
    expect(oauth.readToken(answerOf(status, body))).toMatchObject(read);
  });
});
