/**
 * From the button to the session: what the browser holds while it is at the provider, and what is made of its return. The return must come
 * to the browser that left (an encrypted cookie), within ten minutes, once (`used_sign_ins`, for all nodes).
 */
import { hash } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { type OidcSettings, ServiceError } from '../../common/index.ts';
import type { SecretCipher } from '../../database/index.ts';
import type { Parts } from '../parts.ts';
import type { Started, StartedFrom } from '../sessions.ts';
import { startSession } from '../sign-in.ts';
import { admit } from './admit.ts';
import { OidcError, type SignInFailure } from './failure.ts';
import type { IdentityProvider, Pending } from './provider.ts';

export const FLOW_COOKIE = 'ghostlight_oidc';
export const FLOW_MS = 10 * MINUTE_MS;
const PURPOSE = 'oidc:flow';
const CALLBACK = '/api/v1/oidc/callback';
const MAX_NEXT = 1_000;

interface Flow extends Pending {
  /** Where the person wanted to go: a path of the dashboard. */
  readonly next: string;
  readonly at: number;
}

export interface OidcFlow {
  readonly settings: OidcSettings;
  /** @returns where the browser goes, and what it keeps in the cookie. @throws OidcError */
  begin(wish: {
    readonly next?: string | undefined;
    readonly again: boolean;
  }): Promise<{ readonly url: string; readonly cookie: string }>;
  /** @param cookie as it came. @throws OidcError */
  finish(
    query: URLSearchParams,
    cookie: string | undefined,
    from: StartedFrom,
  ): Promise<{ readonly started: Started; readonly next: string }>;
  /** Where the person wanted to go whose sign-in failed; `/` where the cookie does not say it. */
  nextOf(cookie: string | undefined): string;
  /** The word for the sign-in page; the log has what is behind it. */
  failureOf(error: unknown): SignInFailure;
  forgetOld(): Promise<void>;
}

export interface OidcFlowOptions {
  readonly settings: OidcSettings;
  readonly provider: IdentityProvider;
  readonly cipher: SecretCipher;
  readonly appBaseUrl: () => string;
}

export function createOidcFlow(
  parts: Parts,
  { settings, provider, cipher, appBaseUrl }: OidcFlowOptions,
): OidcFlow {
  const { db, clock, log } = parts;

  const opened = (cookie: string | undefined): Flow => {
    if (cookie === undefined) throw new OidcError('expired', 'no_cookie');
    let flow: Flow;
    try {
      flow = JSON.parse(cipher.decrypt(cookie, PURPOSE)) as Flow;
    } catch {
      throw new OidcError('expired', 'unreadable_cookie');
    }
    if (clock() - flow.at > FLOW_MS) throw new OidcError('expired', 'too_late');
    return flow;
  };

  const useUp = async (state: string): Promise<void> => {
    const { numInsertedOrUpdatedRows } = await db.kysely
      .insertInto('used_sign_ins')
      .values({ digest: hash('sha256', state), expires_at: clock() + FLOW_MS })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst();
    if (Number(numInsertedOrUpdatedRows ?? 0n) === 0) throw new OidcError('expired', 'used_already');
  };

  return {
    settings,
    async begin({ next, again }) {
      const { url, pending } = await provider.begin(appBaseUrl() + CALLBACK, again);
      const flow: Flow = { ...pending, next: ownPath(next), at: clock() };
      return { url, cookie: cipher.encrypt(JSON.stringify(flow), PURPOSE) };
    },
    async finish(query, cookie, from) {
      parts.guesses.providerReturn(from.peer.ip);
      const { next, ...pending } = opened(cookie);
      if (query.get('state') !== pending.state) throw new OidcError('expired', 'other_state');
      await useUp(pending.state);
      const answered = new URL(`${appBaseUrl()}${CALLBACK}?${query}`);
      const identity = await provider.finish(answered, pending);
      const personId = await admit(parts, settings, identity);
      const endsAt = clock() + settings.sessionHours * HOUR_MS;
      return { started: await startSession(parts, personId, from, { endsAt }), next };
    },
    nextOf(cookie) {
      try {
        return opened(cookie).next;
      } catch {
        return '/';
      }
    },
    failureOf(error) {
      if (error instanceof ServiceError && error.code === 'rate_limited') return 'rate_limited';
      if (!(error instanceof OidcError)) {
        log.error({ err: error }, 'a sign-in at the provider could not be finished');
        return 'failed';
      }
      const { failure, reason } = error;
      log.warn({ failure, reason }, 'a sign-in at the provider did not end in a session');
      return failure;
    },
    async forgetOld() {
      await db.kysely.deleteFrom('used_sign_ins').where('expires_at', '<=', clock()).execute();
    },
  };
}

/** A path of the dashboard, never another site: `//host` and `/\\host` are other sites to a browser. */
export function ownPath(next: string | undefined): string {
  if (next === undefined || next.length > MAX_NEXT || !/^\/(?![/\\])[^\p{C}\\]*$/u.test(next)) return '/';
  return next;
}
