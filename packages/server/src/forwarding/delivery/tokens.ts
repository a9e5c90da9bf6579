/**
 * Access tokens of destinations with OAuth: kept in memory until a minute before their end, one refresh under way at a time, over all
 * nodes too, since some platforms replace the refresh token with every use and take two uses of one for theft.
 */

import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import type { Credentials, HttpRequest, HttpResponse } from '../../destinations/index.ts';
import { type Send, SendError } from '../../outbound/index.ts';
import { allowedHost, MAX_ANSWER_BYTES } from './exchange.ts';
import { FAILURES, MISTAKE, placeOf, WRONG_HOST } from './messages.ts';
import type { BoundDestination, DestinationRow, DestinationVault, Token, Tokens } from './ports.ts';

export interface TokenDeps {
  readonly database: Database;
  readonly destinations: DestinationVault;
  readonly send: Send;
  readonly clock: Clock;
  /** Ends requests under way when the service may wait no longer. */
  readonly signal: AbortSignal;
}

const EARLY_MS = MINUTE_MS;
/** Destinations whose tokens are kept; the one that was asked for longest ago goes first. */
const MAX_KEPT = 1_000;
const REFRESH_TOKEN = 'refresh_token';

interface Kept {
  readonly revision: number;
  readonly accessToken: string;
  readonly until: number;
}

export function createTokens(deps: TokenDeps): Tokens {
  const { database, destinations, clock } = deps;
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Token>>();

  const keep = (id: string, token: Kept): void => {
    kept.delete(id);
    kept.set(id, token);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  const refresh = async (row: DestinationRow): Promise<Token> => {
    const current = await database.kysely
      .selectFrom('destinations')
      .selectAll()
      .where('id', '=', row.id)
      .where('organization_id', '=', row.organization_id)
      .executeTakeFirst();
    if (current === undefined || current.revision !== row.revision) return { kind: 'changed' };
    const destination = destinations.open(current);
    const asked = await ask(deps, destination);
    if (asked === null) return { kind: 'token', accessToken: null, isFresh: true };
    if ('kind' in asked) return { kind: 'failed', verdict: asked };
    const { accessToken, expiresInMs, refreshToken } = asked;
    const replaced = refreshToken !== undefined && refreshToken !== destination.credentials[REFRESH_TOKEN];
    const revision = replaced
      ? await replace(row, { ...destination.credentials, [REFRESH_TOKEN]: refreshToken })
      : row.revision;
    keep(row.id, { revision, accessToken, until: clock() + expiresInMs - EARLY_MS });
    return { kind: 'token', accessToken, isFresh: true };
  };

  /** Without it the next refresh would be the last. The revision grows, so that other nodes open the new one. */
  const replace = async (row: DestinationRow, credentials: Credentials): Promise<number> => {
    await database.kysely
      .updateTable('destinations')
      .set({ credentials: destinations.seal(row.id, credentials), revision: row.revision + 1 })
      .where('id', '=', row.id)
      .where('organization_id', '=', row.organization_id)
      // New credentials that were entered meanwhile take precedence over the outcome of the old ones.
      .where('revision', '=', row.revision)
      .execute();
    return row.revision + 1;
  };

  return {
    async of(row, destination) {
      if (destination.oauth === null) return { kind: 'token', accessToken: null, isFresh: true };
      const known = kept.get(row.id);
      if (known !== undefined && known.revision === row.revision && known.until > clock())
        return { kind: 'token', accessToken: known.accessToken, isFresh: false };
      const key = `${row.id}:${row.revision}`;
      const work =
        underWay.get(key) ??
        database
          .underLock(`destination-token:${row.id}`, () => refresh(row))
          .finally(() => underWay.delete(key));
      underWay.set(key, work);
      return await work;
    },
    forget: (id) => void kept.delete(id),
  };
}

type Read = ReturnType<NonNullable<BoundDestination['oauth']>['readToken']>;

/** @returns null: no token is needed */
async function ask({ send, clock, signal }: TokenDeps, destination: BoundDestination): Promise<Read | null> {
  const { oauth, credentials, limits } = destination;
  try {
    const request: HttpRequest | null = oauth?.tokenRequest(credentials, clock()) ?? null;
    if (oauth === null || request === null) return null;
    if (!allowedHost(destination, request))
      return { kind: 'config', code: 'wrong_host', message: WRONG_HOST };
    const options = {
      timeoutMs: limits.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      guarded: destination.hosts.length === 0,
      signal,
    };
    const response: HttpResponse = await send(request, options);
    return oauth.readToken(response);
  } catch (error) {
    if (!(error instanceof SendError))
      return { kind: 'retry', code: 'internal_error', message: `${MISTAKE} (${placeOf(error)})` };
    const { message, isSetting } = FAILURES[error.word];
    return { kind: isSetting ? 'config' : 'retry', code: error.word, message };
  }
}
