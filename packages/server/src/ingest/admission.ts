/** What is decided before a body is read: method, key, and whether there is room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Source } from '@ghostlight/core';
import { ServiceError } from '../shared/index.ts';
import * as answer from './answer.ts';
import type { IngestDeps, IngestKey, KeyVerdict } from './ports.ts';

/**
 * To be asked when the body is there, before it takes effect: its sender takes the time it likes, and the key may be revoked meanwhile.
 * What the cache of keys holds costs nothing; a database that can't be asked leaves the first verdict standing.
 * @throws ServiceError `unauthorized`
 */
export type CheckAgain = () => Promise<void>;

/** Calls `then` with the key; every other outcome is answered here. The body stays unread until then. */
export function admit<P>(
  deps: IngestDeps<P>,
  endpoint: Source,
  request: IncomingMessage,
  response: ServerResponse,
  queryKey: string | undefined,
  then: (key: IngestKey, again: CheckAgain) => void,
): void {
  if (request.method !== 'POST') {
    answer.methodNotAllowed(request, response);
    return;
  }
  const presented = deps.keys.presentedKey({ header: headerOf(request), query: queryKey });
  const note = (verdict: Extract<KeyVerdict, { ok: false }>): void =>
    deps.signals.note({
      kind: 'auth_error',
      endpoint,
      organizationId: verdict.organizationId,
      attributionId: null,
      detail: verdict.cause,
    });
  const again: CheckAgain = async () => {
    const verdict = deps.keys.peek(presented) ?? (await deps.keys.verify(presented).catch((): null => null));
    if (verdict === null || verdict.ok) return;
    note(verdict);
    throw new ServiceError('unauthorized', 'The key was revoked while the request was sent.', {
      headers: { 'WWW-Authenticate': 'ApiKey' },
    });
  };
  const decide = (verdict: KeyVerdict): void => {
    if (!verdict.ok) {
      note(verdict);
      answer.unauthorized(request, response);
      return;
    }
    if (!deps.spool.accepting()) {
      answer.unavailable(request, response);
      return;
    }
    // A sender that asks first (`Expect: 100-continue`) keeps its body back from everything refused above.
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    then(verdict.key, again);
  };
  const known = deps.keys.peek(presented);
  if (known !== null) {
    decide(known);
    return;
  }
  deps.keys.verify(presented).then(decide, (error: unknown) => {
    deps.log.error({ err: error, endpoint }, 'an ingest key could not be checked');
    answer.unavailable(request, response);
  });
}

/** Two headers arrive joined by a comma, which no key contains. */
function headerOf(request: IncomingMessage): string | undefined {
  const value = request.headers['x-api-key'];
  return Array.isArray(value) ? value.join(', ') : value;
}
