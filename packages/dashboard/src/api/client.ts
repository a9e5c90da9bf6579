/** The calls of the dashboard; a large page keeps its own beside itself. A refusal becomes an `ApiError` whose message is a sentence that can be shown as it stands. */
import { connection } from './connection.ts';
import type { Operations } from './schema.gen.ts';

export interface FieldProblem {
  pointer: string;
  message: string;
}

export class ApiError extends Error {
  /** HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  /** The error code: the last part of the problem's type, such as `second_factor_required`. Empty when unknown. */
  readonly code: string;

  constructor(status: number, message: string, fields: readonly FieldProblem[] = [], code = '') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.fields = fields;
    this.code = code;
  }

  /** The message for one member of the body, to be shown at its field. */
  field(name: string): string | undefined {
    return this.fields.find(({ pointer }) => pointer === `/${name}`)?.message;
  }
}

/** A little longer than the service's own limit (30 s), so that its error arrives first. */
const TIMEOUT_MS = 35_000;

/** The `code` of an error: the service could not be reached; it was reached and did not answer in time. */
export const UNREACHABLE = 'unreachable';
export const TIMED_OUT = 'timed_out';
/** A change met silence: it was given back to its form. */
const GIVEN_BACK = 'given_back';

export const api = {
  signInOptions: (signal?: AbortSignal) => get('/api/v1/sign-in-options', { signal }),
  signIn: (body: Body<'POST /api/v1/session'>) => call('POST', '/api/v1/session', { body }),
  session: (signal?: AbortSignal) => get('/api/v1/session', { signal }),
  signOut: () => call('DELETE', '/api/v1/session'),

  sources: async (signal?: AbortSignal) => (await get('/api/v1/sources', { signal })).items,
  networks: async (signal?: AbortSignal) => (await get('/api/v1/networks', { signal })).items,
  config: (signal?: AbortSignal) => get('/api/v1/config', { signal }),
  lists: (signal?: AbortSignal) => get('/api/v1/lists', { signal }),

  properties: async (signal?: AbortSignal) => (await get('/api/v1/properties', { signal })).items,
  createProperty: (body: Body<'POST /api/v1/properties'>) => call('POST', '/api/v1/properties', { body }),
  updateProperty: (id: string, body: Body<'PATCH /api/v1/properties/{id}'>) =>
    call('PATCH', '/api/v1/properties/{id}', { params: { id }, body }),
  deleteProperty: (id: string) => call('DELETE', '/api/v1/properties/{id}', { params: { id } }),

  keys: async (signal?: AbortSignal) => (await get('/api/v1/ingest-keys', { signal })).items,
  issueKey: (body: Body<'POST /api/v1/ingest-keys'>) => call('POST', '/api/v1/ingest-keys', { body }),
  rotateKey: (id: string, overlapSeconds: number) =>
    call('POST', '/api/v1/ingest-keys/{id}/rotate', {
      params: { id },
      body: { overlap_seconds: overlapSeconds },
    }),
  setKey: (id: string, body: Body<'PATCH /api/v1/ingest-keys/{id}/settings'>) =>
    call('PATCH', '/api/v1/ingest-keys/{id}/settings', { params: { id }, body }),
  revokeKey: (id: string) => call('DELETE', '/api/v1/ingest-keys/{id}', { params: { id } }),

  setup: (id: string, signal?: AbortSignal) =>
    get('/api/v1/properties/{id}/setup', { params: { id }, signal }),
  rejected: async (id: string, signal?: AbortSignal) =>
    (await get('/api/v1/properties/{id}/quarantine', { params: { id }, query: { limit: 10 }, signal })).items,
  live: async (id: string, query: { limit?: number; class?: string } = {}, signal?: AbortSignal) =>
    (await get('/api/v1/properties/{id}/live', { params: { id }, query, signal })).items,
  liveSummary: (id: string, signal?: AbortSignal) =>
    get('/api/v1/properties/{id}/live/summary', { params: { id }, signal }),
};

/** The address of the event stream of a property's Live view. */
export function liveStreamUrl(propertyId: string): string {
  return addressOf('/api/v1/properties/{id}/live/stream', { id: propertyId });
}

export type StoredKind = 'hits' | 'events';

/** The address that downloads the stored hits, or the browser events, of a period. */
export function storedUrl(propertyId: string, kind: StoredKind, query: Query): string {
  return addressOf(`/api/v1/properties/{id}/${kind}`, { id: propertyId }, query);
}

/** @param path with a name in braces for each of `params`: no value leaves its segment @param query what is undefined is left out */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Query = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** An operation of the OpenAPI document, such as `GET /api/v1/properties`. */
type Operation = keyof Operations;
/** What it answers. */
export type Answer<Of extends Operation> = Operations[Of]['answer'];
/** What its body takes. */
export type Body<Of extends Operation> = Operations[Of]['body'];

type Query = Readonly<Record<string, string | number | undefined>>;
/** The paths that a method is declared for. */
type PathOf<Method extends string> = Operation extends infer Of
  ? Of extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;
type Find<
  Method extends string,
  Path extends string,
  Part extends keyof Operations[Operation],
> = `${Method} ${Path}` extends infer Of extends Operation ? Operations[Of][Part] : never;
type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never;

interface CallOptions<QueryShape> {
  readonly query?: { readonly [Name in keyof QueryShape]?: string | number | undefined };
  /** Sent even when the page is gone by then; the body must be small. */
  readonly keepalive?: boolean;
  /** Ends the call when its answer is no longer wanted: the service stops counting, too. */
  readonly signal?: AbortSignal | undefined;
}
/** One value for each name in the path. */
type Params<Path extends string> = [ParamOf<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<ParamOf<Path>, string>> };
type Sent<Type> = [Type] extends [undefined] ? { readonly body?: never } : { readonly body: Type };
/** May be left out where nothing in it is needed. */
type Optional<Options> = Record<string, never> extends Options ? [options?: Options] : [options: Options];

/** A GET request. @param path as in the OpenAPI document @param options `signal` of the query, so that a request with outdated filters is cancelled */
export function get<const Path extends PathOf<'GET'>>(
  path: Path,
  ...[options]: Optional<CallOptions<Find<'GET', Path, 'query'>> & Params<Path>>
): Promise<Find<'GET', Path, 'answer'>> {
  return send('GET', path, options) as Promise<Find<'GET', Path, 'answer'>>;
}

/** One call of the management API. @throws ApiError; the reason of `signal`, when that ended the call */
export function call<Method extends 'POST' | 'PUT' | 'PATCH' | 'DELETE', const Path extends PathOf<Method>>(
  method: Method,
  path: Path,
  ...[options]: Optional<
    CallOptions<Find<Method, Path, 'query'>> & Params<Path> & Sent<Find<Method, Path, 'body'>>
  >
): Promise<Find<Method, Path, 'answer'>> {
  return send(method, path, options) as Promise<Find<Method, Path, 'answer'>>;
}

interface Sending extends CallOptions<Query> {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The bearer token of a share link; null: calls go with the session's cookie. */
let access: string | null = null;
export function actWith(token: string | null): void {
  access = token;
}
const credentials = (): RequestCredentials => (access === null ? 'same-origin' : 'omit');
const authorization = (): Readonly<Record<string, string>> =>
  access === null ? {} : { Authorization: `Bearer ${access}` };

/** A file that a link can't download, because it goes without the reader's token. @throws ApiError */
export async function fetchFile(address: string): Promise<Blob> {
  const response = await fetch(address, { credentials: credentials(), headers: authorization() });
  if (!response.ok) throw problem(response.status, parse(await response.text()));
  return await response.blob();
}

async function send(method: string, path: string, sending: Sending = {}): Promise<unknown> {
  if (method === 'GET' || sending.keepalive === true) return (await exchange(method, path, sending)).body;
  const change = `${method} ${addressOf(path, sending.params, sending.query)} ${JSON.stringify(sending.body)}`;
  const key = unansweredChanges.get(change) ?? newKey();
  rememberUnanswered(change, key);
  let silences = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { body, status, retryAfter } = await exchange(method, path, sending, key);
      // The first attempt still runs: its answer is the one to wait for.
      if (status === 409 && retryAfter !== null && attempt < MAX_ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000));
        continue;
      }
      unansweredChanges.delete(change);
      if (status < 200 || status > 299) throw problem(status, body);
      return body;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== GIVEN_BACK) throw error;
      silences += 1;
      if (silences === MAX_SILENCES) throw error;
      if (!(await connection.untilBack())) throw error;
    }
  }
}

/** Of a change that the service is still making. */
const MAX_ATTEMPTS = 15;
/** Of a change that meets silence whenever the service is back: what stops it lies on its own way, such as a proxy or an extension. */
const MAX_SILENCES = 3;

/**
 * Changes that got no answer, with the key that they were sent with: sent again, they are made once (`Idempotency-Key`). The oldest is
 * forgotten first.
 */
const unansweredChanges = new Map<string, string>();
const MAX_UNANSWERED = 50;

function rememberUnanswered(change: string, key: string): void {
  unansweredChanges.delete(change);
  unansweredChanges.set(change, key);
  const [oldest] = unansweredChanges.keys();
  if (unansweredChanges.size > MAX_UNANSWERED && oldest !== undefined) unansweredChanges.delete(oldest);
}

/** Not `randomUUID`, which browsers offer on https alone. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

interface Exchanged {
  readonly status: number;
  readonly body: unknown;
  /** Seconds; null: the service names none. */
  readonly retryAfter: number | null;
}

/** Sends once. @param key of a change @throws ApiError when nothing answered; of a GET, also when the answer is a refusal */
async function exchange(
  method: string,
  path: string,
  { params, query, body, keepalive = false, signal }: Sending,
  key?: string,
): Promise<Exchanged> {
  // A session's POST without a JSON body is refused: a form of another site could make one.
  const sent = body === undefined && method === 'POST' ? {} : body;
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  let status: number;
  let parsed: unknown;
  let wait: string | null;
  try {
    const response = await fetch(addressOf(path, params, query), {
      method,
      credentials: credentials(),
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
      keepalive,
      headers: {
        Accept: 'application/json',
        ...authorization(),
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    status = response.status;
    wait = response.headers?.get('Retry-After') ?? null;
    parsed = parse(await response.text());
  } catch (failure) {
    if (signal?.aborted === true) throw signal.reason;
    if (!patience.aborted) connection.noteSilence();
    throw unanswered(method, patience.aborted, failure);
  }
  // A proxy answers so for a service that is restarting; the service itself says why, in JSON.
  if (GATEWAY.has(status) && parsed === null) {
    connection.noteSilence();
    throw unanswered(method, false, null);
  }
  connection.noteAnswer();
  if (key === undefined && (status < 200 || status > 299)) throw problem(status, parsed);
  return { status, body: parsed, retryAfter: wait === null || !/^\d{1,2}$/.test(wait) ? null : Number(wait) };
}

const GATEWAY = new Set([502, 503, 504]);

/** A GET is repeated by its query, a change once the service is back; where nothing shows that it waits, it is given back at once. */
function unanswered(method: string, timedOut: boolean, cause: unknown): ApiError {
  const saved = method !== 'GET';
  const error = timedOut
    ? new ApiError(
        0,
        `The service did not answer within ${TIMEOUT_MS / 1_000} seconds.${saved ? ' You can send it again: no change is made twice.' : ' A shorter period or fewer filters may help.'}`,
        [],
        TIMED_OUT,
      )
    : new ApiError(
        0,
        saved
          ? 'The service can’t be reached. Nothing you typed is lost: submit again when the service is back.'
          : 'The service can’t be reached. It may be restarting; this page tries again.',
        [],
        saved ? GIVEN_BACK : UNREACHABLE,
      );
  error.cause = cause;
  return error;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** A problem document (RFC 9457) as an error whose message is one sentence. */
export function problem(status: number, document: unknown): ApiError {
  const { detail, title, errors, type, request_id } = (
    typeof document === 'object' && document !== null ? document : {}
  ) as {
    request_id?: unknown;
    detail?: unknown;
    title?: unknown;
    errors?: unknown;
    type?: unknown;
  };
  const code = typeof type === 'string' ? (type.split('/').at(-1) ?? '') : '';
  const fields = Array.isArray(errors) ? errors.filter(isFieldProblem) : [];
  const sentence = [detail, title].find((part): part is string => typeof part === 'string' && part !== '');
  // The service's log has the details of a fault under this id.
  const where = status === 500 && typeof request_id === 'string' ? ` Request id: ${request_id}` : '';
  return new ApiError(
    status,
    `${sentence ?? `The service returned status ${status}.`}${where}`,
    fields,
    code,
  );
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as FieldProblem).pointer === 'string' &&
    typeof (value as FieldProblem).message === 'string'
  );
}
