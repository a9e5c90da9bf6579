/** What is decided before a body is read: method, key, and whether there is room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../common/index.ts';
import { queryKey } from '../keys/index.ts';
import type { AuthForm, LogSource } from '../sources/index.ts';
import * as answer from './answer.ts';
import type { IngestDeps, IngestKey, KeyPlaces, KeyVerdict } from './ports.ts';

/**
 * To be asked when the body is there, before it takes effect: its sender takes the time it likes, and the key may be revoked meanwhile.
 * What the cache of keys holds costs nothing; a database that can't be asked leaves the first verdict standing.
 * @throws ServiceError `unauthorized`
 */
export type CheckAgain = () => Promise<void>;

/** Calls `then` with the key; every other outcome is answered here. The body stays unread until then. */
export type Admission = (
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  then: (key: IngestKey, again: CheckAgain) => void,
) => void;

/** Of one source: it takes keys in the forms that the source's senders can use. */
export function createAdmission<P>(deps: IngestDeps<P>, { about, auth }: LogSource): Admission {
  const placesOf = keyPlaces(auth);
  return (request, response, query, then) =>
    admit(deps, about.name, placesOf(request, query), request, response, then);
}

function admit<P>(
  deps: IngestDeps<P>,
  endpoint: string,
  places: KeyPlaces,
  request: IncomingMessage,
  response: ServerResponse,
  then: (key: IngestKey, again: CheckAgain) => void,
): void {
  if (request.method !== 'POST') {
    answer.methodNotAllowed(request, response);
    return;
  }
  const presented = deps.keys.presentedKey(places);
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
    deps.log.error({ err: error, endpoint, ...answer.about(response) }, 'an ingest key could not be checked');
    answer.unavailable(request, response);
  });
}

/** @returns reads the key from every place where the source's senders may put it */
function keyPlaces(forms: readonly AuthForm[]): (request: IncomingMessage, query: string) => KeyPlaces {
  const headers = forms.filter(({ place }) => place === 'header').map(({ name }) => name.toLowerCase());
  const parameters = forms.filter(({ place }) => place === 'query').map(({ name }) => name.toLowerCase());
  return (request, query) => ({
    header: joined(headers.map((name) => headerOf(request, name))),
    query: joined(parameters.map((name) => queryKey(query, name))),
  });
}

/** As Node joins a header that came twice: two keys are then told from one by the comma, which no key contains. */
function joined(values: readonly (string | undefined)[]): string | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present.join(', ');
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
