/** Who is calling the management API: the admin token, an API token, or the cookie that a token or a password was exchanged for. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Caller, type Clock, type Log, type OidcSettings, ServiceError } from '../common/index.ts';
import type { Database, SecretCipher } from '../database/index.ts';
import type { Mailer, Send } from '../outbound/index.ts';
import { createCookies, type Peer } from './cookies.ts';
import { createCredentials, type PasswordHashing } from './credentials.ts';
import { createGuesses } from './guesses.ts';
import { createJoining, type Joining } from './joining.ts';
import { createKnownBrowsers, KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_S } from './known-browsers.ts';
import { createLinks, type Link } from './links.ts';
import { createOidcFlow, FLOW_COOKIE, FLOW_MS } from './oidc/flow.ts';
import { createIdentityProvider } from './oidc/provider.ts';
import { createOrganizations, type OrganizationHooks, type Organizations } from './organizations.ts';
import { assertSameOrigin } from './origin.ts';
import { createOwnAccount, type OwnAccount } from './own-account.ts';
import type { Parts } from './parts.ts';
import { createResets, type NewPassword, type Resets } from './resets.ts';
import { createSecondFactors } from './second-factor.ts';
import {
  createSessions,
  SESSION_MS,
  type SignInSession,
  type Started,
  type StartedFrom,
} from './sessions.ts';
import { type PasswordSignIn, provePerson, startSession } from './sign-in.ts';
import { type ApiTokens, createApiTokens, isApiToken } from './tokens.ts';

const SESSION_COOKIE = 'ghostlight_session';

export interface SignedIn {
  readonly session: SignInSession;
  /** The `Set-Cookie` values: the session's, and the mark of a browser that its person has used. */
  readonly cookies: readonly string[];
}

/** A redirect. */
export interface Onward {
  readonly location: string;
  readonly cookies: readonly string[];
}

export interface Accounts {
  /**
   * @throws ServiceError `unauthorized` without a good credential, `forbidden` when a cookie's change comes from another site,
   * `rate_limited` when this address has guessed too often
   */
  authenticate(request: Request, peer: Peer): Promise<Caller>;
  /** Exchanges the admin token for a session. @throws ServiceError as above */
  signIn(request: Request, token: string, peer: Peer): Promise<SignedIn>;
  /** @throws ServiceError as above, and `second_factor_required` */
  signInWithPassword(request: Request, person: PasswordSignIn, peer: Peer): Promise<SignedIn>;
  /** Starts a session by what a link has opened: `run` does it. @throws ServiceError as above, and what `run` throws */
  signInByLink(request: Request, peer: Peer, run: (from: StartedFrom) => Promise<Started>): Promise<SignedIn>;
  /**
   * What a link opens, whether its address has an account, and how many API tokens a new password would leave as they are.
   * @throws ServiceError `not_found`, `rate_limited`
   */
  inspectLink(
    request: Request,
    token: string,
    peer: Peer,
  ): Promise<{ link: Link; hasAccount: boolean; apiTokens: number }>;
  /** Sets the password of whom the link names. @throws ServiceError as above */
  resetByLink(request: Request, peer: Peer, reset: NewPassword & { token: string }): Promise<void>;
  /** @returns where the browser goes from here: to the provider, or to the sign-in page with the reason */
  beginAtProvider(
    request: Request,
    peer: Peer,
    wish: { next?: string | undefined; again: boolean; moved: boolean },
  ): Promise<Onward>;
  /** The same for a browser that comes back, with its session where it has one. */
  returnFromProvider(request: Request, peer: Peer): Promise<Onward>;
  /** Ends the request's session, if it has one. @returns the `Set-Cookie` value that removes the cookie */
  signOut(request: Request, peer: Peer): Promise<string>;
  /** @throws ServiceError `forbidden` when a change comes from another site: for open routes, which no cookie has passed */
  assertOwnOrigin(request: Request): void;
  /** Prepares the first sign-up. @returns its link, as long as no account exists; it replaces the previous one */
  start(): Promise<string | null>;
  /** Whether any account exists, and whether links are mailed. */
  options(): Promise<{
    people: boolean;
    mail: boolean;
    passwords: boolean;
    provider: { readonly name: string } | null;
  }>;
  /** @throws ServiceError `forbidden` where people sign in at the company's provider alone */
  assertPasswords(): void;
  readonly joining: Joining;
  readonly resets: Resets;
  readonly own: OwnAccount;
  readonly organizations: Organizations;
  readonly tokens: ApiTokens;
  /** Deletes what has ended, and re-encrypts what is encrypted with an old key. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

export interface AccountsOptions {
  readonly adminToken: string;
  readonly cipher: SecretCipher;
  readonly mailer: Mailer | null;
  /** Where links lead. */
  readonly appBaseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Origins from which the dashboard is served (APP_BASE_URL), besides the request's own host. */
  readonly origins?: () => readonly string[];
  readonly organizationHooks?: OrganizationHooks;
  /** Sign-in at the company's provider, and how requests leave; null: there is none. */
  readonly oidc?: { readonly settings: OidcSettings; readonly send: Send } | null;
  /** Cheaper hashes, for tests alone. */
  readonly hashing?: PasswordHashing;
}

export function createAccounts(db: Database, options: AccountsOptions): Accounts {
  const { adminToken, cipher, mailer, appBaseUrl, clock, log, origins = () => [] } = options;
  const rootDigest = digest(adminToken);
  const sessions = createSessions(db, rootDigest, clock);
  const cookies = createCookies(appBaseUrl);
  const knownBrowsers = createKnownBrowsers(rootDigest);
  const guesses = createGuesses(clock);
  const credentials = createCredentials(db, options.hashing);
  const secondFactors = createSecondFactors(db, { cipher, clock });
  const organizations = createOrganizations(db, clock, options.organizationHooks);
  const links = createLinks(db, { appBaseUrl, clock });
  const tokens = createApiTokens(db, { clock, log });
  const parts: Parts = {
    db,
    clock,
    log,
    credentials,
    secondFactors,
    sessions,
    organizations,
    links,
    guesses,
    mailer,
  };

  /** Both sides are hashed, so that neither length nor content shows in the time. */
  const checkRoot = (token: string, { ip }: Peer, where: string): void => {
    if (timingSafeEqual(digest(token), rootDigest)) return;
    guesses.wrongToken(ip);
    throw unauthorized(`The token is not this installation's ADMIN_TOKEN; check ${where}.`);
  };

  const byApiToken = async (token: string, { ip }: Peer): Promise<Caller> => {
    const caller = await tokens.authenticate(token, ip);
    if (caller !== undefined) return caller;
    guesses.wrongToken(ip);
    throw unauthorized('The API token is unknown, revoked or expired; issue another one.');
  };

  const started = async (
    request: Request,
    peer: Peer,
    run: (from: StartedFrom) => Promise<Started>,
  ): Promise<SignedIn> => {
    const { token, session } = await run({ peer, userAgent: request.headers.get('user-agent') });
    // This browser's earlier session ends here, so an attacker can't have planted one that continues.
    const before = cookies.read(request, peer, SESSION_COOKIE);
    if (before !== undefined) await sessions.end(before);
    const seconds = Math.min(SESSION_MS, Math.max(0, session.expiresAt - clock())) / 1_000;
    const set = [cookies.write(request, peer, SESSION_COOKIE, token, Math.ceil(seconds))];
    if (session.caller.kind === 'person') {
      const mark = knownBrowsers.remember(
        cookies.read(request, peer, KNOWN_BROWSER_COOKIE),
        session.caller.personId,
      );
      set.push(cookies.write(request, peer, KNOWN_BROWSER_COOKIE, mark, KNOWN_BROWSER_S));
    }
    return { session, cookies: set };
  };

  const ownOrigin = (request: Request) => assertSameOrigin(request, origins(), { originRequired: false });

  /** Guesses at links are slowed like guesses at tokens. */
  const byLink = async <T>(request: Request, { ip }: Peer, run: () => Promise<T>): Promise<T> => {
    ownOrigin(request);
    try {
      return await run();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') guesses.wrongToken(ip);
      throw error;
    }
  };

  const provider =
    options.oidc == null
      ? null
      : createOidcFlow(parts, {
          settings: options.oidc.settings,
          provider: createIdentityProvider(options.oidc.settings, { send: options.oidc.send, clock }),
          ...{ cipher, appBaseUrl },
        });
  const assertPasswords = (): void => {
    if (provider?.settings.only === true)
      throw new ServiceError(
        'forbidden',
        `Passwords are turned off here. Use “Continue with ${provider.settings.name}” on the sign-in page.`,
      );
  };
  const flow = () => {
    if (provider === null)
      throw new ServiceError(
        'not_found',
        'No provider is set up here: its settings begin with OIDC_ (docs/sign-in.md).',
      );
    return provider;
  };
  const backToSignIn = (request: Request, peer: Peer, provider: string, next: string): Onward => ({
    location: `/sign-in?${new URLSearchParams({ provider, ...(next === '/' ? {} : { next }) })}`,
    cookies: [cookies.write(request, peer, FLOW_COOKIE, '', 0)],
  });

  const joining = createJoining(parts);
  const resets = createResets(parts, tokens);

  return {
    async start() {
      await credentials.load();
      // The first owner comes by a group, or by an invitation.
      return provider?.settings.only === true ? null : await joining.welcomeLink();
    },
    async authenticate(request, peer) {
      const authorization = request.headers.get('authorization');
      if (authorization !== null) {
        const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
        if (token === undefined) throw unauthorized('The Authorization header must read: Bearer <token>.');
        if (isApiToken(token)) return await byApiToken(token, peer);
        checkRoot(token, peer, 'the Authorization header');
        return { kind: 'root', scope: { kind: 'all' }, role: 'owner', actor: 'root' };
      }
      const cookie = cookies.read(request, peer, SESSION_COOKIE);
      const session = cookie === undefined ? undefined : await sessions.find(cookie);
      if (session === undefined) {
        throw unauthorized('Sign in, or send the API token as Authorization: Bearer <token>.');
      }
      // After the session is known: without one there is nothing that another site could misuse.
      assertSameOrigin(request, origins());
      return session.caller;
    },
    async signIn(request, token, peer) {
      ownOrigin(request);
      checkRoot(token, peer, 'the token that you entered');
      return await started(request, peer, sessions.startRoot);
    },
    async signInWithPassword(request, person, peer) {
      ownOrigin(request);
      assertPasswords();
      const browser = cookies.read(request, peer, KNOWN_BROWSER_COOKIE);
      const { id } = await provePerson(parts, person, {
        ip: peer.ip,
        browserOf: (personId) => knownBrowsers.recognize(browser, personId),
      });
      return await started(request, peer, (from) => startSession(parts, id, from));
    },
    signInByLink: (request, peer, run) =>
      byLink(request, peer, () => {
        assertPasswords();
        return started(request, peer, run);
      }),
    async beginAtProvider(request, peer, { next, again, moved }) {
      const elsewhere = moved ? null : otherAddress(request, appBaseUrl());
      if (elsewhere !== null) {
        const query = new URLSearchParams({
          moved: '1',
          ...(again ? { again: '1' } : {}),
          ...(next === undefined ? {} : { next }),
        });
        return { location: `${elsewhere}/api/v1/oidc/start?${query}`, cookies: [] };
      }
      try {
        const { url, cookie } = await flow().begin({ next, again });
        const set = cookies.write(request, peer, FLOW_COOKIE, cookie, FLOW_MS / 1_000);
        return { location: url, cookies: [set] };
      } catch (error) {
        return backToSignIn(request, peer, flow().failureOf(error), next ?? '/');
      }
    },
    async returnFromProvider(request, peer) {
      const cookie = cookies.read(request, peer, FLOW_COOKIE);
      try {
        const query = new URL(request.url).searchParams;
        let location = '/';
        const signedIn = await started(request, peer, async (from) => {
          const done = await flow().finish(query, cookie, from);
          location = done.next;
          return done.started;
        });
        const used = cookies.write(request, peer, FLOW_COOKIE, '', 0);
        return { location, cookies: [...signedIn.cookies, used] };
      } catch (error) {
        return backToSignIn(request, peer, flow().failureOf(error), flow().nextOf(cookie));
      }
    },
    assertPasswords,
    inspectLink: (request, token, peer) =>
      byLink(request, peer, async () => {
        const link = await links.inspect(token);
        const known = link.email === null ? undefined : await credentials.find(link.email);
        const apiTokens = link.personId === null ? 0 : await tokens.countOf(link.personId);
        return { link, hasAccount: known !== undefined, apiTokens };
      }),
    resetByLink: (request, peer, reset) =>
      byLink(request, peer, () => {
        assertPasswords();
        return resets.complete(reset);
      }),
    async signOut(request, peer) {
      assertSameOrigin(request, origins());
      const cookie = cookies.read(request, peer, SESSION_COOKIE);
      if (cookie !== undefined) await sessions.end(cookie);
      return cookies.write(request, peer, SESSION_COOKIE, '', 0);
    },
    assertOwnOrigin: ownOrigin,
    async options() {
      const anyPerson = await db.reader.selectFrom('people').select('id').limit(1).executeTakeFirst();
      const passwords = provider?.settings.only !== true;
      return {
        people: anyPerson !== undefined,
        mail: mailer !== null && passwords,
        passwords,
        provider: provider === null ? null : { name: provider.settings.name },
      };
    },
    joining,
    resets,
    own: createOwnAccount(parts, tokens),
    organizations,
    tokens,
    async upkeep() {
      await sessions.forgetOld();
      await links.forgetOld();
      await provider?.forgetOld();
      await secondFactors.rotateSecrets();
    },
    close: () => tokens.close(),
  };
}

/**
 * The provider sends the browser to APP_BASE_URL, where a cookie of another address is not: a browser that came by another one starts there.
 * @returns null where it is there, as far as its request says
 */
function otherAddress(request: Request, appBaseUrl: string): string | null {
  const host = request.headers.get('host');
  return host === null || host.toLowerCase() === new URL(appBaseUrl).host ? null : appBaseUrl;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, {
    headers: { 'WWW-Authenticate': 'Bearer realm="ghostlight"' },
  });
}
