/** The calls of the dashboard; a large page keeps its own beside itself. A refusal becomes an `ApiError` whose message is a sentence that can be shown as it stands. */
import type {
  IngestKey,
  IssuedKey,
  Lists,
  LiveItem,
  LiveSummaryAnswer,
  Property,
  PropertyFields,
  Provider,
  RejectedElement,
  ServiceConfig,
  Session,
  SetupDiagnosis,
  SignIn,
  SignInOptions,
} from './types.ts';

export interface FieldProblem {
  pointer: string;
  message: string;
}

export class ApiError extends Error {
  /** HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  /** What went wrong, as programs tell it: the last part of the problem's type, such as `second_factor_required`. Empty when unknown. */
  readonly code: string;

  constructor(status: number, message: string, fields: readonly FieldProblem[] = [], code = '') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.fields = fields;
    this.code = code;
  }

  /** The message for one member of the body, for the field that a person filled in. */
  field(name: string): string | undefined {
    return this.fields.find(({ pointer }) => pointer === `/${name}`)?.message;
  }
}

/** A little longer than the service works on an answer (30 s): its own word about that arrives first. */
const TIMEOUT_MS = 35_000;

/** The `code` of an error: the service could not be reached; it was reached and did not answer in time. */
export const UNREACHABLE = 'unreachable';
export const TIMED_OUT = 'timed_out';

export const api = {
  signInOptions: (signal?: AbortSignal) => get<SignInOptions>('/api/v1/sign-in-options', signal),
  signIn: (credentials: SignIn) => call<Session>('POST', '/api/v1/session', credentials),
  session: (signal?: AbortSignal) => get<Session>('/api/v1/session', signal),
  signOut: () => call<unknown>('DELETE', '/api/v1/session'),

  config: (signal?: AbortSignal) => get<ServiceConfig>('/api/v1/config', signal),
  lists: (signal?: AbortSignal) => get<Lists>('/api/v1/lists', signal),

  properties: async (signal?: AbortSignal) =>
    (await get<{ items: Property[] }>('/api/v1/properties', signal)).items,
  createProperty: (body: PropertyFields) => call<{ id: string }>('POST', '/api/v1/properties', body),
  updateProperty: (id: string, body: Partial<PropertyFields & Pick<Property, 'search_engines'>>) =>
    call<unknown>('PATCH', `/api/v1/properties/${encodeURIComponent(id)}`, body),
  deleteProperty: (id: string) => call<unknown>('DELETE', `/api/v1/properties/${encodeURIComponent(id)}`),

  keys: async (signal?: AbortSignal) =>
    (await get<{ items: IngestKey[] }>('/api/v1/ingest-keys', signal)).items,
  issueKey: (body: { name: string; provider: Provider; attribution_id?: string }) =>
    call<IssuedKey>('POST', '/api/v1/ingest-keys', body),
  revokeKey: (id: string) => call<unknown>('DELETE', `/api/v1/ingest-keys/${encodeURIComponent(id)}`),

  setup: (id: string, signal?: AbortSignal) =>
    get<SetupDiagnosis>(`/api/v1/properties/${encodeURIComponent(id)}/setup`, signal),
  rejected: async (id: string, signal?: AbortSignal) =>
    (
      await get<{ items: RejectedElement[] }>(
        `/api/v1/properties/${encodeURIComponent(id)}/quarantine?limit=10`,
        signal,
      )
    ).items,
  live: async (id: string, query: { limit?: number; class?: string } = {}, signal?: AbortSignal) =>
    (await get<{ items: LiveItem[] }>(`${livePath(id)}${search(query)}`, signal)).items,
  liveSummary: (id: string, signal?: AbortSignal) =>
    get<LiveSummaryAnswer>(`${livePath(id)}/summary`, signal),
};

/** The address of the event stream of a property's Live view. */
export function liveStreamUrl(propertyId: string): string {
  return `${livePath(propertyId)}/stream`;
}

export type StoredKind = 'hits' | 'events';

/** The address that downloads the stored hits, or the browser events, of a period. */
export function storedUrl(propertyId: string, kind: StoredKind, query: Record<string, string>): string {
  return `/api/v1/properties/${encodeURIComponent(propertyId)}/${kind}${search(query)}`;
}

function livePath(id: string): string {
  return `/api/v1/properties/${encodeURIComponent(id)}/live`;
}

function search(query: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

export interface CallOptions {
  /** Sent even when the page is gone by then; the body must be small. */
  readonly keepalive?: boolean;
  /** Ends the call when its answer is no longer wanted: the service stops counting, too. */
  readonly signal?: AbortSignal | undefined;
}

/** One question. @param signal that of the query, so that a question whose filters have changed does not run on */
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>('GET', path, undefined, { signal });
}

/** One call of the management API. @throws ApiError; the reason of `signal`, when that ended the call */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  { keepalive = false, signal }: CallOptions = {},
): Promise<T> {
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  let status: number;
  let parsed: unknown;
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
      keepalive,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    status = response.status;
    parsed = parse(await response.text());
  } catch (failure) {
    if (signal?.aborted === true) throw signal.reason;
    throw unanswered(method, patience.aborted, failure);
  }
  if (status < 200 || status > 299) throw problem(status, parsed);
  return parsed as T;
}

/** A question is asked again by the page itself; what was to be saved is not: it may have arrived. */
function unanswered(method: string, timedOut: boolean, cause: unknown): ApiError {
  const saved = method !== 'GET';
  const error = timedOut
    ? new ApiError(
        0,
        `The service did not answer within ${TIMEOUT_MS / 1_000} seconds.${saved ? ' Look whether the change was saved before you send it again.' : ' A shorter period or fewer filters may help.'}`,
        [],
        TIMED_OUT,
      )
    : new ApiError(
        0,
        saved
          ? 'The service can’t be reached. Nothing that you typed is lost: send it again when the service is back.'
          : 'The service can’t be reached. It may be restarting; this page tries again.',
        [],
        UNREACHABLE,
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
  const { detail, title, errors, type } = (
    typeof document === 'object' && document !== null ? document : {}
  ) as {
    detail?: unknown;
    title?: unknown;
    errors?: unknown;
    type?: unknown;
  };
  const code = typeof type === 'string' ? (type.split('/').at(-1) ?? '') : '';
  const fields = Array.isArray(errors) ? errors.filter(isFieldProblem) : [];
  const sentence = [detail, title].find((part): part is string => typeof part === 'string' && part !== '');
  return new ApiError(status, sentence ?? `The service answered with status ${status}.`, fields, code);
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as FieldProblem).pointer === 'string' &&
    typeof (value as FieldProblem).message === 'string'
  );
}
