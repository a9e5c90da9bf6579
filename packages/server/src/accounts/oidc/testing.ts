/** A real provider for tests, `oidc-provider`, that lets in whom a test says; and a browser that goes from page to page. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type JWK } from 'oidc-provider';
import type { OidcSettings } from '../../common/index.ts';
import { createSend, type OutboundRequest, type Send } from '../../outbound/index.ts';
import { type Browser, ORIGIN } from '../testing.ts';

export const CLIENT_ID = 'ghostlight';
export const CLIENT_SECRET = 'the-client-secret-of-this-test';

/** A person at the provider. Claims may change from one sign-in to the next. */
export type TestClaims = Readonly<Record<string, unknown>>;

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

function newKey(id: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    id,
    privateKey,
    jwk: { ...privateKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' } as JWK,
  };
}

export interface TestProvider {
  readonly issuer: string;
  readonly settings: OidcSettings;
  /** As whom the next sign-in is, and what the provider says of them; null: they refuse. */
  signsInAs(subject: string | null, claims?: TestClaims): void;
  /** From now on the dashboard is there. */
  serve(dashboard: string): void;
  /** From now on tokens are signed with another key, and the earlier one is published no more. */
  rotate(): void;
  /** Rewrites ID tokens on their way, signed again with the provider's own key; null: none. */
  tamper(change: ((claims: TestClaims) => TestClaims) | null): void;
  readonly send: Send;
  /** Requests that the service made. */
  readonly asked: OutboundRequest[];
  /** Goes where the browser is sent, up to the address at the dashboard that the provider sends it back to. */
  follow(location: string): Promise<string>;
  close(): Promise<void>;
}

/** Sign-in settings for a test; what it does not say is off. */
export function settingsFor(issuer: string, changes: Partial<OidcSettings> = {}): OidcSettings {
  return {
    ...{ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, name: 'Test IdP' },
    ...{ scopes: 'openid email profile groups', groupsClaim: 'groups', groups: [] },
    ...{ allowedDomains: [], trustEmail: false, only: false, sessionHours: 12 },
    ...changes,
  };
}

export async function startTestProvider(): Promise<TestProvider> {
  let dashboard = ORIGIN;
  let keys = 0;
  let key = newKey('key-0');
  let current: { subject: string; claims: TestClaims } | null = null;
  let change: ((claims: TestClaims) => TestClaims) | null = null;
  const people = new Map<string, TestClaims>();
  const asked: OutboundRequest[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server: Server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The keys are fixed for the life of a provider object, so a rotation makes another one at the same address. */
  const open = (): void => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [`${dashboard}/api/v1/oidc/callback`],
        },
      ],
      jwks: { keys: [key.jwk] },
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      // As Keycloak, Entra and Okta do: the claims are in the ID token.
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: CLIENT_ID,
          accountId: context.oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
      renderError: (context, out) => {
        context.body = out;
      },
    });
    const callback = provider.callback();
    handle = (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return void callback(request, response);
      const result =
        current === null
          ? { error: 'access_denied' }
          : { login: { accountId: current.subject, remember: false } };
      void provider.interactionFinished(request, response, result);
    };
  };
  open();

  const sending = createSend({ hosts: new Map() });
  const send: Send = async (request, options) => {
    asked.push(request);
    const answer = await sending(request, options);
    if (change === null || !request.url.endsWith('/token')) return answer;
    const body = JSON.parse(answer.body) as { id_token?: string };
    if (body.id_token === undefined) return answer;
    return { ...answer, body: JSON.stringify({ ...body, id_token: resigned(body.id_token, change, key) }) };
  };

  return {
    issuer,
    settings: settingsFor(issuer),
    signsInAs(subject, claims = {}) {
      current = subject === null ? null : { subject, claims };
      if (subject !== null) people.set(subject, claims);
    },
    serve(address) {
      dashboard = address;
      open();
    },
    rotate() {
      keys += 1;
      key = newKey(`key-${keys}`);
      open();
    },
    tamper(wanted) {
      change = wanted;
    },
    send,
    asked,
    async follow(location) {
      const jar = new Map<string, string>();
      for (let url = location; ; ) {
        if (!url.startsWith(issuer)) return url;
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [pair = ''] = cookie.split(';', 1);
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const next = response.headers.get('location');
        if (next === null) throw new Error(`the provider stopped at ${url}: ${await response.text()}`);
        url = new URL(next, url).href;
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function resigned(
  token: string,
  change: (claims: TestClaims) => TestClaims,
  { id, privateKey }: SigningKey,
): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as TestClaims;
  const encoded = [{ alg: 'RS256', typ: 'JWT', kid: id }, change(claims)]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${encoded}.${createSign('RSA-SHA256').update(encoded).sign(privateKey).toString('base64url')}`;
}

export interface Tour {
  /** The address at which the provider sent the browser back. */
  readonly returned: string;
  /** Where the service sent it then. */
  readonly location: string;
  readonly status: number;
}

/** From the button to the dashboard, or back to the sign-in page. @param at the browser, which has its session afterwards */
export async function tour(provider: TestProvider, at: Browser, next = '/p/1'): Promise<Tour> {
  const start = await at.call('GET', `/oidc/start?next=${encodeURIComponent(next)}`);
  const first = start.headers.get('location') ?? '';
  if (!first.startsWith(provider.issuer)) return { returned: '', location: first, status: start.status };
  const returned = await provider.follow(first);
  return { returned, ...(await comeBack(at, returned)) };
}

/** The browser comes back at this address. */
export async function comeBack(at: Browser, returned: string): Promise<Pick<Tour, 'location' | 'status'>> {
  const { pathname, search } = new URL(returned);
  const done = await at.call('GET', `${pathname.replace('/api/v1', '')}${search}`);
  // Where the person wanted to go is of interest to one test.
  const location = (done.headers.get('location') ?? '').replace(/&next=.*$/, '');
  return { location, status: done.status };
}
