/** Who is calling the management API: the root token as a bearer token, or the cookie that it was exchanged for. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/index.ts';
import { type Caller, type Clock, createThrottle, ServiceError } from '../kit/index.ts';
import { assertSameOrigin } from './origin.ts';
import { createSessions, SESSION_MS, type SignInSession } from './sessions.ts';

const COOKIE = 'ghostlight_session';

/** Who is at the other end, proxies seen through. */
export interface Peer {
  readonly ip: string;
  readonly protocol: 'http' | 'https';
}

export interface Accounts {
  /**
   * @throws ServiceError `unauthorized` without a good credential, `forbidden` when a cookie's change comes from another site,
   * `rate_limited` when this address has guessed too often
   */
  authenticate(request: Request, peer: Peer): Promise<Caller>;
  /** Exchanges the root token for a session. @returns the `Set-Cookie` value. @throws ServiceError as above */
  signIn(request: Request, token: string, peer: Peer): Promise<{ session: SignInSession; cookie: string }>;
  /** Ends the request's session, if it has one. @returns the `Set-Cookie` value that removes the cookie */
  signOut(request: Request, peer: Peer): Promise<string>;
}

export interface AccountsOptions {
  readonly adminToken: string;
  readonly clock: Clock;
  /** Origins from which the dashboard is served (APP_BASE_URL), besides the request's own host. */
  readonly origins?: () => readonly string[];
}

export function createAccounts(
  db: Database,
  { adminToken, clock, origins = () => [] }: AccountsOptions,
): Accounts {
  const rootDigest = digest(adminToken);
  const sessions = createSessions(db, rootDigest, clock);
  const throttle = createThrottle(clock);

  /** Both sides are hashed, so that neither length nor content shows in the time. */
  const checkRoot = (token: string, { ip }: Peer, where: string): void => {
    const wait = throttle.wait(ip);
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1_000);
      throw new ServiceError(
        'rate_limited',
        `Too many wrong tokens from this address; try again in ${seconds} s.`,
        {
          headers: { 'Retry-After': String(seconds) },
        },
      );
    }
    if (timingSafeEqual(digest(token), rootDigest)) return;
    throttle.fail(ip);
    throw new ServiceError(
      'unauthorized',
      `The token is not this installation's ADMIN_TOKEN; check ${where}.`,
      {
        headers: { 'WWW-Authenticate': 'Bearer realm="ghostlight"' },
      },
    );
  };

  return {
    async authenticate(request, peer) {
      const authorization = request.headers.get('authorization');
      if (authorization !== null) {
        const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
        if (token === undefined) throw unauthorized('The Authorization header must read: Bearer <token>.');
        checkRoot(token, peer, 'the Authorization header');
        return { kind: 'root', scope: { kind: 'all' }, actor: 'root' };
      }
      const cookie = readCookie(request);
      const session = cookie === undefined ? undefined : await sessions.find(cookie);
      if (session === undefined) {
        throw unauthorized('Sign in, or send the API token as Authorization: Bearer <token>.');
      }
      // After the session is known: without one there is nothing that another site could misuse.
      assertSameOrigin(request, origins());
      return { kind: 'root', scope: { kind: 'all' }, actor: session.actor };
    },
    async signIn(request, token, peer) {
      assertSameOrigin(request, origins(), { originRequired: false });
      checkRoot(token, peer, 'the token that you entered');
      const { token: secret, session } = await sessions.start();
      return { session, cookie: setCookie(secret, SESSION_MS / 1_000, peer) };
    },
    async signOut(request, peer) {
      assertSameOrigin(request, origins());
      const cookie = readCookie(request);
      if (cookie !== undefined) await sessions.end(cookie);
      return setCookie('', 0, peer);
    },
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence, {
    headers: { 'WWW-Authenticate': 'Bearer realm="ghostlight"' },
  });
}

function readCookie(request: Request): string | undefined {
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === COOKIE && value !== undefined && value !== '') return value;
  }
  return undefined;
}

function setCookie(value: string, maxAgeSeconds: number, { protocol }: Peer): string {
  const secure = protocol === 'https' ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
