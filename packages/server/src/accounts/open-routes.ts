/** What routes without authentication have in common: any client may call them, and some set a cookie. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Api, type ApiEnv, ServiceError } from '../common/index.ts';
import type { Accounts, SignedIn } from './accounts.ts';
import type { Peer } from './cookies.ts';
import { sessionView } from './views.ts';

export interface AccountRoutesDeps {
  readonly accounts: Accounts;
  /** The peer of a request, proxies seen through; undefined when the request was made inside the process. */
  readonly peer: (incoming: IncomingMessage | undefined) => Peer;
}

/** A token and a little JSON around it. */
const MAX_BODY_BYTES = 8 * 1024;
/** Answers that depend on a cookie belong in no shared cache. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

export function limitBodies(api: Api, paths: readonly string[]): void {
  for (const path of paths) {
    api.use(
      path,
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        onError: () => {
          throw new ServiceError('body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`, {
            headers: { Connection: 'close' },
          });
        },
      }),
    );
  }
}

export function peerOf(c: Context<ApiEnv>, peer: AccountRoutesDeps['peer']): Peer {
  return peer((c.env as { incoming?: IncomingMessage } | undefined)?.incoming);
}

/** Body and headers that tell of a session that has just begun. */
export async function beginning(accounts: Accounts, { session, cookies }: SignedIn) {
  const view = await sessionView(accounts, session.caller, session.expiresAt);
  const headers: Record<string, string | string[]> = { ...NO_STORE, 'Set-Cookie': [...cookies] };
  return [view, headers] as const;
}
