/** RFC 9457 problem documents: what `ServiceError` and everything else that is thrown looks like from outside. */
import { HTTPException } from 'hono/http-exception';
import { currentRequest, ERRORS, type FieldError, type Log, ServiceError } from '../common/index.ts';
import { isDatabaseAway } from '../database/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: FieldError[];
  /** By which the log and the audit log name the request. */
  request_id?: string;
}

const CONTENT_TYPE = 'application/problem+json';

/** The problem document of a known error. `type` is a relative reference that the documentation resolves. */
export function problemOf(error: ServiceError): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
}

/** A response for anything thrown. A fault of ours is logged in full and tells the outside nothing but that it happened. */
export function problemResponseFor(thrown: unknown, log: Log, signal?: AbortSignal): Response {
  const error = known(thrown);
  // The client has gone; the work for its answer was aborted, which is no error.
  if (signal?.aborted === true) return new Response(null, { status: 499 });
  // A sender who comes again needs no line here; the operator has to see what the database says.
  if (error !== thrown && isDatabaseAway(thrown)) log.warn({ err: thrown }, 'the database does not answer');
  if (thrown instanceof WarehouseUnavailable && thrown.cause !== undefined)
    log.warn({ err: thrown }, 'the warehouse did not answer a request');
  if (error instanceof ServiceError) {
    const problem = problemOf(error);
    return new Response(JSON.stringify({ ...problem, ...named() }), {
      status: problem.status,
      headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store', ...error.headers },
    });
  }
  log.error({ err: error }, 'request failed by a fault of ours');
  const problem: Problem = {
    type: '/problems/fault',
    title: 'Something went wrong on our side',
    status: 500,
    detail: 'The request was not completed. Try again; the log of the service says what happened.',
    ...named(),
  };
  return new Response(JSON.stringify(problem), {
    status: 500,
    headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' },
  });
}

/** Nothing where no request is under way, as in tests of a room. */
function named(): Pick<Problem, 'request_id'> {
  const requestId = currentRequest()?.requestId;
  return requestId === undefined ? {} : { request_id: requestId };
}

/** What the router throws at a body that it can't read, and what a store says that is down, in our words. */
function known(error: unknown): unknown {
  if (error instanceof WarehouseUnavailable)
    return new ServiceError('unavailable', error.message, {
      headers: { 'Retry-After': String(error.retryAfter) },
      cause: error,
    });
  if (isDatabaseAway(error))
    return new ServiceError('unavailable', 'The database does not answer; try again in a moment.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  if (!(error instanceof HTTPException) || (error.status !== 400 && error.status !== 415)) return error;
  return new ServiceError(
    'malformed_body',
    'Send a JSON body with the header "Content-Type: application/json".',
    { cause: error },
  );
}

/** The answer of an unknown path. */
export function notFound(path: string): ServiceError {
  return new ServiceError(
    'not_found',
    `Nothing is served at ${path.slice(0, 200)}. The API is described at /api/v1/openapi.json.`,
  );
}
