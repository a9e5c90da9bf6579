/** What is decided before a body is read: method, key, and whether there is room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, ServiceError } from '../common/index.ts';
import { queryKey } from '../keys/index.ts';
import type { AuthForm, LogSource, Settings } from '../sources/index.ts';
import type { Voice } from './answer.ts';
import * as answer from './answer.ts';
import { SenderGone } from './body/body.ts';
import type { IngestDeps, IngestKey, KeyPlaces, KeyVerdict } from './ports.ts';
import type { ReadSigned, SignedBody } from './signed-body.ts';
import { headerOf, sourceRequest } from './source-request.ts';

/**
 * To be asked when the body is there, before it takes effect: its sender takes the time it likes, and the key may be revoked meanwhile.
 * What the cache of keys holds costs nothing; a database that can't be asked leaves the first verdict standing.
 * @throws ServiceError `unauthorized`
 */
export type CheckAgain = () => Promise<void>;

/** Calls `then` with the key; every other outcome is answered here. The body stays unread until then, unless its signature stands for the key. */
export type Admission = (
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  then: (key: IngestKey, again: CheckAgain, signedBody: Buffer | null) => void,
) => void;

/** What of a source decides how its requests are let in. */
interface Door {
  readonly endpoint: string;
  /** Keys that were issued for another source are refused. */
  readonly ownKeysOnly: boolean;
  /** Beside POST. */
  readonly methods: readonly string[];
  readonly headers: (settings: Settings) => Readonly<Record<string, string>>;
  /** Where the key may be; null: where it always was. */
  readonly hint: string | null;
}

const NO_HEADERS = {};

/** Of one source: it takes keys in the forms that the source's senders can use. */
export function createAdmission<P>(
  deps: IngestDeps<P>,
  source: LogSource,
  readSigned: ReadSigned | null = null,
): Admission {
  const placesOf = keyPlaces(source.auth);
  const lines = source.transport === 'lines' ? source : null;
  const door: Door = {
    endpoint: source.about.name,
    ownKeysOnly: lines?.ownKeysOnly === true,
    methods: lines?.alsoTakes ?? [],
    headers: (settings) => lines?.headers?.(settings) ?? NO_HEADERS,
    hint: hintOf(source),
  };
  const voiceOf = voices(source, deps.clock);
  return (request, response, query, then) =>
    admit(
      deps,
      door,
      placesOf(request, query),
      request,
      response,
      voiceOf(request, query),
      then,
      readSigned === null ? null : () => readSigned(request, query),
    );
}

const PLACE_WORDS: Readonly<Record<AuthForm['place'], (name: string) => string>> = {
  header: (name) => `the header ${name}`,
  query: (name) => `the parameter ${name} of the address`,
  bearer: () => 'Authorization: Bearer',
  basic: () => 'the password of Basic authentication',
};

/** The first two sources keep the sentence that they have. */
function hintOf({ auth }: LogSource): string | null {
  if (!auth.some(({ place }) => place === 'bearer' || place === 'basic')) return null;
  const places = auth.map(({ place, name }) => PLACE_WORDS[place](name));
  return `Send a valid ingest key as one of: ${places.join('; ')}.`;
}

/** How the source's senders learn what is wrong. */
export function voices(source: LogSource, clock: Clock): (request: IncomingMessage, query: string) => Voice {
  if (source.transport !== 'lines' || source.refuse === undefined) return () => null;
  const refuse = source.refuse.bind(source);
  return (request, query) => (fault) => refuse(fault, sourceRequest(request, query, clock()));
}

function admit<P>(
  deps: IngestDeps<P>,
  { endpoint, ownKeysOnly, methods, headers, hint }: Door,
  places: KeyPlaces,
  request: IncomingMessage,
  response: ServerResponse,
  voice: Voice,
  then: Parameters<Admission>[3],
  readSigned: (() => Promise<SignedBody | null>) | null,
): void {
  if (request.method !== 'POST' && !methods.includes(request.method ?? '')) {
    answer.methodNotAllowed(request, response, methods);
    return;
  }
  const presented = deps.keys.presentedKey(places);
  const from = (): string => deps.addressOf(request);
  const note = (verdict: Extract<KeyVerdict, { ok: false }>): void =>
    deps.signals.note({
      kind: 'auth_error',
      endpoint,
      organizationId: verdict.organizationId,
      attributionId: null,
      detail: verdict.cause,
    });
  const again: CheckAgain = async () => {
    const verdict =
      deps.keys.peek(presented, from) ?? (await deps.keys.verify(presented, from).catch((): null => null));
    if (verdict === null || verdict.ok) return;
    note(verdict);
    throw revokedMeanwhile();
  };
  const decide = (verdict: KeyVerdict): void => {
    if (!verdict.ok) {
      if (verdict.cause === 'missing' && readSigned !== null) bySignature(verdict, readSigned);
      else refuse(verdict);
      return;
    }
    const { provider = endpoint, settings = {} } = verdict.key;
    if (ownKeysOnly && provider !== endpoint) {
      answer.problem(request, response, notForThis(endpoint), voice);
      return;
    }
    addHeaders(settings);
    if (request.method === 'GET' || request.method === 'HEAD') {
      // It is asked whether there is an endpoint that knows the key.
      answer.noContent(response);
      return;
    }
    if (!deps.spool.accepting()) {
      answer.unavailable(request, response, voice);
      return;
    }
    // A sender that asks first (`Expect: 100-continue`) keeps its body back from everything refused above.
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    then(verdict.key, again, null);
  };
  const refuse = (verdict: Extract<KeyVerdict, { ok: false }>): void => {
    note(verdict);
    answer.unauthorized(request, response, voice, hint);
  };
  const addHeaders = (settings: Settings): void => {
    for (const [name, value] of Object.entries(headers(settings))) response.setHeader(name, value);
  };
  /** No key at all: the body may be signed with what one of the property's keys knows. */
  const bySignature = (
    verdict: Extract<KeyVerdict, { ok: false }>,
    read: () => Promise<SignedBody | null>,
  ): void => {
    if (!deps.spool.accepting()) {
      answer.unavailable(request, response, voice);
      return;
    }
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    read().then(
      (signed) => {
        if (signed === null) return refuse(verdict);
        addHeaders(signed.key.settings ?? {});
        const { key, body } = signed;
        then(
          key,
          () => stillGood(signed, () => note({ ...verdict, organizationId: key.organizationId })),
          body,
        );
      },
      (error: unknown) => {
        if (error instanceof SenderGone) return;
        if (error instanceof ServiceError) return answer.problem(request, response, error, voice);
        deps.log.error(
          { err: error, endpoint, ...answer.about(response) },
          'a signed request could not be checked',
        );
        answer.unavailable(request, response, voice);
      },
    );
  };
  const known = deps.keys.peek(presented, from);
  if (known !== null) {
    decide(known);
    return;
  }
  deps.keys.verify(presented, from).then(decide, (error: unknown) => {
    deps.log.error({ err: error, endpoint, ...answer.about(response) }, 'an ingest key could not be checked');
    answer.unavailable(request, response, voice);
  });
}

/** @throws ServiceError `unauthorized` */
async function stillGood(signed: SignedBody, note: () => void): Promise<void> {
  if (await signed.isGood().catch(() => true)) return;
  note();
  throw revokedMeanwhile();
}

function revokedMeanwhile(): ServiceError {
  return new ServiceError('unauthorized', 'The key was revoked while the request was sent.', {
    headers: { 'WWW-Authenticate': 'ApiKey' },
  });
}

/** The key is good, so the answer may say what it lacks. */
function notForThis(endpoint: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `This key was issued for another source. Issue a key whose provider is “${endpoint}”.`,
  );
}

/** @returns reads the key from every place where the source's senders may put it */
function keyPlaces(forms: readonly AuthForm[]): (request: IncomingMessage, query: string) => KeyPlaces {
  const headers = namesIn(forms, 'header');
  const parameters = namesIn(forms, 'query');
  const schemes = forms.flatMap(({ place }) => (place === 'bearer' || place === 'basic' ? [place] : []));
  return (request, query) => {
    const header = joined(headers.map((name) => headerOf(request, name)));
    const parameter = joined(parameters.map((name) => queryKey(query, name)));
    if (schemes.length === 0 || header !== undefined || parameter !== undefined)
      return { header, query: parameter };
    return { header: credentialOf(request.headers.authorization, schemes), query: undefined };
  };
}

function namesIn(forms: readonly AuthForm[], wanted: AuthForm['place']): string[] {
  return forms.filter(({ place }) => place === wanted).map(({ name }) => name.toLowerCase());
}

/** The key in an `Authorization` header; in a scheme that the source does not take, the header as it is, which is no key. */
function credentialOf(header: string | undefined, schemes: readonly string[]): string | undefined {
  const [, scheme = '', credential = ''] = /^\s*(\w+) +(\S+)\s*$/.exec(header ?? '') ?? [];
  if (!schemes.includes(scheme.toLowerCase())) return header;
  if (scheme.toLowerCase() === 'bearer') return credential;
  const pair = Buffer.from(credential, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** As Node joins a header that came twice: two keys are then distinguished from one by the comma, which no key contains. */
function joined(values: readonly (string | undefined)[]): string | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present.join(', ');
}
