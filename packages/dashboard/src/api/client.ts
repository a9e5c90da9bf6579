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

const TIMEOUT_MS = 15_000;

export const api = {
  signInOptions: () => call<SignInOptions>('GET', '/api/v1/sign-in-options'),
  signIn: (credentials: SignIn) => call<Session>('POST', '/api/v1/session', credentials),
  session: () => call<Session>('GET', '/api/v1/session'),
  signOut: () => call<unknown>('DELETE', '/api/v1/session'),

  config: () => call<ServiceConfig>('GET', '/api/v1/config'),
  lists: () => call<Lists>('GET', '/api/v1/lists'),

  properties: async () => (await call<{ items: Property[] }>('GET', '/api/v1/properties')).items,
  createProperty: (body: PropertyFields) => call<{ id: string }>('POST', '/api/v1/properties', body),
  updateProperty: (id: string, body: Partial<PropertyFields>) =>
    call<unknown>('PATCH', `/api/v1/properties/${encodeURIComponent(id)}`, body),
  deleteProperty: (id: string) => call<unknown>('DELETE', `/api/v1/properties/${encodeURIComponent(id)}`),

  keys: async () => (await call<{ items: IngestKey[] }>('GET', '/api/v1/ingest-keys')).items,
  issueKey: (body: { name: string; provider: Provider; attribution_id?: string }) =>
    call<IssuedKey>('POST', '/api/v1/ingest-keys', body),
  revokeKey: (id: string) => call<unknown>('DELETE', `/api/v1/ingest-keys/${encodeURIComponent(id)}`),

  setup: (id: string) => call<SetupDiagnosis>('GET', `/api/v1/properties/${encodeURIComponent(id)}/setup`),
  rejected: async (id: string) =>
    (
      await call<{ items: RejectedElement[] }>(
        'GET',
        `/api/v1/properties/${encodeURIComponent(id)}/quarantine?limit=10`,
      )
    ).items,
  live: async (id: string, query: { limit?: number; class?: string } = {}) =>
    (await call<{ items: LiveItem[] }>('GET', `${livePath(id)}${search(query)}`)).items,
  liveSummary: (id: string) => call<LiveSummaryAnswer>('GET', `${livePath(id)}/summary`),
};

/** The address of the event stream of a property's Live view. */
export function liveStreamUrl(propertyId: string): string {
  return `${livePath(propertyId)}/stream`;
}

/** The address that downloads the stored hits of a period. */
export function exportUrl(propertyId: string, query: Record<string, string>): string {
  return `/api/v1/properties/${encodeURIComponent(propertyId)}/hits${search(query)}`;
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
}

/** One call of the management API. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  { keepalive = false }: CallOptions = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      keepalive,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, 'The service could not be reached. It may be restarting; this page tries again.');
  }
  const text = await response.text();
  const parsed = parse(text);
  if (!response.ok) throw problem(response.status, parsed);
  return parsed as T;
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
