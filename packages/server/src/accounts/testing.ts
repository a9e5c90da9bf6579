/** The people part of the API for tests: the real application over a test database, spoken to by browsers that keep their cookie. */
import { randomBytes, scryptSync } from 'node:crypto';
import type { Api, Clock, Log, OidcSettings } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { silentLog } from '../database/testing.ts';
import { createApp } from '../http/index.ts';
import type { Mailer, Send } from '../outbound/index.ts';
import { createProperties } from '../properties/index.ts';
import { propertyRoutes } from '../properties/routes.ts';
import { NOTHING_TO_RECOUNT } from '../properties/testing.ts';
import { endWithRights } from '../sharing/index.ts';
import { linkRoutes } from '../sharing/link-routes.ts';
import { createShareLinks, type ShareLinks } from '../sharing/links.ts';
import type { PasswordHashing } from './credentials.ts';
import { type Accounts, createAccounts, type Peer } from './index.ts';
import { managedAccountRoutes, openAccountRoutes } from './routes.ts';

export const ROOT_TOKEN = 'the-root-token-of-this-test';
export const ORIGIN = 'https://dash.example';
export const PASSWORD = 'correct horse battery';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** A caller: with a cookie, with a token, or with nothing. */
export interface Browser {
  cookie: string;
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

/** Where a person is invited to: another organization, chosen properties. */
export interface JoinTo {
  readonly organization?: string;
  readonly properties?: readonly { attribution_id: string; role?: string }[];
}

export interface People {
  readonly accounts: Accounts;
  readonly links: ShareLinks;
  /** @param ip so that tests don't share a throttle  @param token sent as bearer token instead of a cookie */
  browser(options?: { ip?: string; token?: string }): Browser;
  readonly root: Browser;
  fetch(request: Request): Promise<Response>;
  /** Makes the first owner. */
  owner(email?: string): Promise<Browser>;
  /** Invites a person and accepts for them. */
  join(by: Browser, email: string, role: string, to?: JoinTo): Promise<Browser>;
}

/** The same function and form as the product's, for a thousandth of the work: 0.1 s for each of some hundred passwords adds up. */
const cheapHashing: PasswordHashing = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${scryptSync(password, salt, 64, { N: 16 }).toString('hex')}`;
  },
  async verify({ hash, password }) {
    const [salt = '', key] = hash.split(':');
    return scryptSync(password, salt, 64, { N: 16 }).toString('hex') === key;
  },
};

export function openPeople(
  database: Database,
  {
    clock,
    mailer = null,
    secretKey = 's'.repeat(32),
    previous = null,
    oidc = null,
    log = silentLog,
  }: {
    clock: Clock;
    mailer?: Mailer | null;
    secretKey?: string;
    previous?: string | null;
    oidc?: { settings: OidcSettings; send: Send } | null;
    log?: Log;
  },
): People {
  const accounts = createAccounts(database, {
    adminToken: ROOT_TOKEN,
    cipher: createSecretCipher(secretKey, previous),
    mailer,
    appBaseUrl: () => ORIGIN,
    clock,
    log,
    oidc,
    origins: () => [ORIGIN],
    hashing: cheapHashing,
    organizationHooks: {
      onStanding: (trx, who, standing, actor) => endWithRights(trx, who, standing, { actor, at: clock() }),
    },
  });
  const properties = createProperties(database, { clock });
  const links = createShareLinks(database, { clock, log });
  let peer: Peer = { ip: '203.0.113.1', protocol: 'https' };
  const app = createApp({
    version: '0',
    log: silentLog,
    readiness: {
      spool: () => null,
      durability: 'node',
      database: async () => undefined,
      warehouse: async () => undefined,
      dataDir: '.',
    },
    metrics: null,
    metricsToken: null,
    onBehalfOf: (_, run) => run(),
    open: openAccountRoutes({ accounts, peer: () => peer }).map(mounted),
    managed: [
      ...managedAccountRoutes({ accounts, peer: () => peer, database }),
      propertyRoutes({ properties, recounting: NOTHING_TO_RECOUNT }),
      linkRoutes({ properties, links, appBaseUrl: () => ORIGIN, clock }),
    ].map(mounted),
    serves: () => true,
    authenticate: (request) => accounts.authenticate(request, peer),
    onUnknownPath: () => undefined,
    dashboard: { respond: () => null },
  });

  const browser: People['browser'] = ({ ip = '203.0.113.1', token } = {}) => {
    const self: Browser = {
      cookie: '',
      async call(method, path, body) {
        peer = { ip, protocol: 'https' };
        const response = await app.request(`${ORIGIN}/api/v1${path}`, {
          method,
          headers: {
            Origin: ORIGIN,
            'User-Agent': 'Test/1.0',
            // So that answers to the same question can be compared whole.
            'X-Request-Id': `${method}${path}`,
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            ...(self.cookie === '' ? {} : { Cookie: self.cookie }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        self.cookie = afterAnswer(self.cookie, response.headers.getSetCookie());
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          body: text === '' ? null : JSON.parse(text),
        };
      },
    };
    return self;
  };
  const root = browser({ token: ROOT_TOKEN });

  return {
    accounts,
    links,
    browser,
    root,
    fetch: async (request) => await app.request(request),
    async owner(email = 'ada@shop.example') {
      const one = browser();
      const token = tokenOf(await accounts.joining.welcomeLink());
      const answer = await one.call('POST', '/welcome', { token, name: 'Ada', email, password: PASSWORD });
      if (answer.status !== 201) throw new Error(`welcome: ${JSON.stringify(answer.body)}`);
      return one;
    },
    async join(by, email, role, { organization, properties = null } = {}) {
      const query = organization === undefined ? '' : `?organization=${organization}`;
      const invitation = { email, role, properties };
      const invited = await by.call('POST', `/organization/invitations${query}`, invitation);
      const one = browser();
      const token = tokenOf(invited.body.link);
      const name = email.split('@', 1)[0];
      const answer = await one.call('POST', '/invitations/accept', { token, name, password: PASSWORD });
      if (answer.status !== 200) throw new Error(`accept: ${JSON.stringify(answer.body)}`);
      return one;
    },
  };
}

/** What the browser sends next: a cookie with a new value replaces the previous one. */
function afterAnswer(cookie: string, set: readonly string[]): string {
  const jar = new Map(
    [...cookie.split('; '), ...set.map((one) => one.split(';', 1)[0] ?? '')]
      .filter((one) => one !== '')
      .map((one) => [one.split('=', 1)[0], one]),
  );
  return [...jar.values()].join('; ');
}

const mounted = (routes: Api) => ({ path: '/api/v1', routes });

/** The token of a link, as its page reads it. */
export function tokenOf(link: string | null): string {
  const token = link?.split('#token=')[1];
  if (token === undefined) throw new Error(`no link: ${link}`);
  return token;
}
