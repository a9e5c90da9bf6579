/**
 * Who a reader of a share link is. A link is opened once, with its password if it has one; what it is exchanged for is signed, names the link
 * and ends by itself. Each request asks the link again, so that a revoked one opens nothing.
 */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DAY_MS } from '@ghostlight/core/time';
import {
  type Clock,
  createThrottle,
  ServiceError,
  type ShareCaller,
  type Throttle,
} from '../common/index.ts';
import type { ShareLink, ShareLinks } from './links.ts';
import { callerFor } from './shared.ts';

const ACCESS_PREFIX = 'sha_';
/** A browser that has opened a link with its password isn't asked for it again for this long. */
const ACCESS_MS = 30 * DAY_MS;

/** Requests of one address, over all links: a page is four of them, and an office has one address. */
const PER_ADDRESS = { burst: 400, drainMs: 250 };
/** Of one link, over all addresses: readers share what its organization may ask of the warehouse. */
const PER_LINK = { burst: 600, drainMs: 100 };
/** Of one address at one link. Other addresses, and browsers that have opened the link before, are not slowed by it. */
const WRONG_PASSWORDS = { burst: 10, drainMs: 30_000 };
/** Tokens that open nothing. */
const WRONG_TOKENS = { burst: 60, drainMs: 1_000 };

export interface Opened {
  readonly link: ShareLink;
  /** The bearer token of the reader. */
  readonly access: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface Proof {
  readonly password?: string | undefined;
  readonly access?: string | undefined;
}

export interface ShareAccess {
  /**
   * @param proof its password, or what it was exchanged for before; neither where it has no password
   * @throws ServiceError `not_found`, `unauthorized` (the password), `rate_limited`
   */
  open(token: string, proof: Proof, ip: string): Promise<Opened>;
  /** @returns undefined: no token of this kind. @throws ServiceError `unauthorized`, `rate_limited` */
  callerOf(request: Request, ip: string): Promise<ShareCaller | undefined>;
  /** For a picture: a link that needs no password. @throws ServiceError `not_found`, `rate_limited` */
  openPicture(token: string, ip: string): Promise<ShareLink>;
}

/** @param secret the same on every node */
export function createShareAccess(
  links: ShareLinks,
  { secret, clock }: { secret: string; clock: Clock },
): ShareAccess {
  const key = createHmac('sha256', secret).update('share-access').digest();
  const addresses = createThrottle(clock, PER_ADDRESS);
  const readers = createThrottle(clock, PER_LINK);
  const passwords = createThrottle(clock, WRONG_PASSWORDS);
  const tokens = createThrottle(clock, WRONG_TOKENS);
  const gate = createGate();

  const count = (throttle: Throttle, name: string, sentence: string): void => {
    const wait = throttle.wait(name);
    if (wait > 0) throw slower(wait, sentence);
    throttle.fail(name);
  };
  const request = (link: Pick<ShareLink, 'id'>, ip: string): void => {
    count(addresses, ip, 'Too many requests from this address');
    count(readers, link.id, 'Too many requests for this link');
  };
  const found = async (token: string, ip: string): Promise<ShareLink> => {
    const link = await links.byToken(token);
    if (link !== undefined) return link;
    // A good link from the same address is never slowed by wrong ones.
    count(tokens, ip, 'Too many invalid links from this address');
    throw new ServiceError(
      'not_found',
      'This link is not valid: it was revoked, has expired, or was copied incompletely.',
    );
  };
  /** The password is part of what is signed: a new one ends what was opened with the old. */
  const sign = (link: ShareLink, expiresAt: number): string =>
    createHmac('sha256', key)
      .update(`${link.id}.${expiresAt}.${link.passwordHash ?? ''}`)
      .digest('base64url');

  /** Whether this link was exchanged for it, and it holds. */
  const isOf = (link: ShareLink, access: string | undefined): boolean => {
    const [id = '', ends = '', signature = ''] = access?.slice(ACCESS_PREFIX.length).split('.') ?? [];
    return id === link.id && Number(ends) > clock() && isEqual(signature, sign(link, Number(ends)));
  };

  return {
    async open(token, { password, access: before }, ip) {
      const link = await found(token, ip);
      request(link, ip);
      if (link.passwordHash !== null && !isOf(link, before)) {
        if (password === undefined || password === '')
          throw new ServiceError('unauthorized', 'This link needs a password.');
        const guesser = `${link.id} ${ip}`;
        count(passwords, guesser, 'Too many wrong passwords');
        if (!(await gate(() => matches(password, link.passwordHash ?? ''))))
          throw new ServiceError('unauthorized', 'The password is wrong.');
        passwords.forgive(guesser);
      }
      links.noteUse(link);
      const expiresAt = Math.min(clock() + ACCESS_MS, link.expiresAt ?? Number.MAX_SAFE_INTEGER);
      return { link, expiresAt, access: `${ACCESS_PREFIX}${link.id}.${expiresAt}.${sign(link, expiresAt)}` };
    },
    async callerOf({ headers }, ip) {
      const access = /^Bearer +sha_(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (access === undefined) return undefined;
      const [id = '', ends = '', signature = ''] = access.split('.');
      const expiresAt = Number(ends);
      const link = UUID.test(id) && expiresAt > clock() ? await links.byId(id) : undefined;
      if (link === undefined || !isEqual(signature, sign(link, expiresAt))) {
        count(tokens, ip, 'Too many wrong tokens from this address');
        throw new ServiceError('unauthorized', 'This link has expired or was revoked. Open it again.');
      }
      request(link, ip);
      links.noteUse(link);
      return callerFor(link);
    },
    async openPicture(token, ip) {
      const link = await found(token, ip);
      request(link, ip);
      if (link.passwordHash !== null)
        throw new ServiceError(
          'not_found',
          'A link with a password has no chart. Create one without a password.',
        );
      links.noteUse(link);
      return link;
    },
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function slower(waitMs: number, sentence: string): ServiceError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new ServiceError('rate_limited', `${sentence}; try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** 16 MiB and about a tenth of a second. */
const SCRYPT = { N: 16_384, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, SCRYPT);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.');
  const derived = await derive(
    password.normalize('NFKC'),
    Buffer.from(salt, 'base64url'),
    HASH_BYTES,
    SCRYPT,
  );
  return isEqual(derived.toString('base64url'), hash);
}

/** One password is checked at a time, and few wait: a check takes a thread of four, which reading files shares. */
const MOST_WAITING = 16;

function createGate(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= MOST_WAITING)
      throw new ServiceError('unavailable', 'Too many passwords are being checked; try again shortly.', {
        headers: { 'Retry-After': '2' },
      });
    waiting += 1;
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  };
}
