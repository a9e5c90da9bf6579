/** What the doctor finds at a real provider, and at the same provider with one thing wrong. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OidcSettings } from '../../common/index.ts';
import type { OutboundResponse, Send } from '../../outbound/index.ts';
import { examineProvider } from './examine.ts';
import { settingsFor, startTestProvider, type TestProvider } from './testing.ts';

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider.close());

type Members = Readonly<Record<string, unknown>>;
/** The real provider's answers, changed on their way. @param path the end of the address whose answer is changed */
const changing =
  (path: string, change: (answer: OutboundResponse) => OutboundResponse): Send =>
  async (request, options) => {
    const answer = await provider.send(request, options);
    return request.url.endsWith(path) ? change(answer) : answer;
  };
const saying = (members: Members, path = '/openid-configuration'): Send =>
  changing(path, (answer) => ({
    ...answer,
    body: JSON.stringify({ ...(JSON.parse(answer.body) as Members), ...members }),
  }));

const examined = async (
  send: Send = provider.send,
  settings: Partial<OidcSettings> = {},
  clock: () => number = Date.now,
) => await examineProvider(settingsFor(provider.issuer, settings), { send, clock });

describe('the provider', () => {
  it('that all is well with is one good line', async () => {
    const groups = [{ group: 'staff', role: 'viewer', organizationId: 'o', properties: null }] as const;
    expect(await examined(provider.send, { groups })).toEqual([
      { level: 'good', text: `${provider.issuer} answers as sign-in needs it.` },
    ]);
    expect(provider.asked.map(({ url }) => new URL(url).pathname)).toEqual([
      '/.well-known/openid-configuration',
      '/jwks',
    ]);
  });

  it('is not reached, or is not there', async () => {
    const gone = await examined(provider.send, { issuer: 'http://127.0.0.1:1' });
    expect(gone).toMatchObject([{ level: 'bad', text: expect.stringContaining('(unreachable)') }]);
    const other = await examined(provider.send, { issuer: `${provider.issuer}/realms/other/` });
    expect(other).toEqual([
      {
        level: 'bad',
        text: `Sign-in at ${provider.issuer}/realms/other/ can’t work: ${provider.issuer}/realms/other/.well-known/openid-configuration returns 404. Check OIDC_ISSUER.`,
      },
    ]);
  });

  const wrong: [what: string, send: () => Send, settings: Partial<OidcSettings>, text: RegExp][] = [
    [
      'redirects',
      () =>
        changing('ion', (answer) => ({
          ...answer,
          status: 302,
          headers: { location: 'https://b.example/' },
        })),
      {},
      /redirects to https:\/\/b\.example\//,
    ],
    [
      'has no document',
      () => changing('ion', (answer) => ({ ...answer, body: '[]' })),
      {},
      /no|without a JSON/,
    ],
    [
      'is another issuer',
      () => saying({ issuer: 'https://b.example/' }),
      {},
      /names itself "https:\/\/b\.ex/,
    ],
    ['has no token endpoint', () => saying({ token_endpoint: undefined }), {}, /has no token_endpoint/],
    ['is not https', () => saying({ jwks_uri: 'ftp://a.example/' }), {}, /jwks_uri is ftp:.* must be https/],
    ['has no code flow', () => saying({ response_types_supported: ['id_token'] }), {}, /code flow/],
    ['has no PKCE', () => saying({ code_challenge_methods_supported: ['plain'] }), {}, /PKCE with S256/],
    [
      'signs with a secret',
      () => saying({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      {},
      /none of the algorithms/,
    ],
    [
      'wants a certificate',
      () => saying({ token_endpoint_auth_methods_supported: ['tls_client_auth'] }),
      {},
      /neither in the body nor as HTTP Basic/,
    ],
    [
      'wants a secret',
      () => saying({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      { clientSecret: null },
      /set OIDC_CLIENT_SECRET/,
    ],
    ['has no keys', () => saying({ keys: [{ kty: 'oct' }, null] }, '/jwks'), {}, /no key that checks/],
    ['hides its keys', () => changing('/jwks', (answer) => ({ ...answer, status: 500 })), {}, /returns 500/],
  ];
  it.each(wrong)('%s, and the finding says so', async (_, send, settings, text) => {
    expect(await examined(send(), settings)).toEqual([{ level: 'bad', text: expect.stringMatching(text) }]);
  });

  it('may not list what is asked for, which is a note', async () => {
    const groups = [{ group: 'staff', role: 'viewer', organizationId: 'o', properties: null }] as const;
    const send = saying({ scopes_supported: ['openid', 'email'], claims_supported: ['sub'] });
    const settings = { scopes: 'openid email groups', groups, groupsClaim: 'realm_access.roles' };
    expect(await examined(send, settings)).toMatchObject([
      { level: 'good' },
      { level: 'note', text: expect.stringContaining('scope “groups” of OIDC_SCOPES') },
      { level: 'note', text: expect.stringContaining('claim “realm_access” of OIDC_GROUPS_CLAIM') },
    ]);
  });

  it.each([
    [120, 'behind'],
    [-120, 'ahead of'],
  ])('has another clock: ours is %i s ahead', async (seconds, word) => {
    const clock = (): number => Date.now() + seconds * 1_000;
    expect(await examined(provider.send, {}, clock)).toEqual([
      {
        level: 'bad',
        text: expect.stringMatching(`^The provider’s clock is 1\\d\\d s ${word} this machine’s`),
      },
    ]);
  });
});
