/**
 * Which request the running code works for and what is traced of it, so that a log line or an audit row deep inside a room names it. The storage is made at import and
 * holds nothing by itself: what it says belongs to the asynchronous flow that asks.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { maskText } from './masks.ts';
import type { Span } from './span.ts';

export interface RequestContext {
  /** Absent: a job. */
  readonly requestId?: string;
  /** Absent: nothing is traced. */
  readonly span?: Span;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs the function, and everything that it starts, for this request. */
export function inRequest<Result>(context: RequestContext, run: () => Result): Result {
  return contexts.run(context, run);
}

/** Runs what outlives the request that happened to start it: a loop, a connection that others use too. */
export function outsideRequests<Result>(run: () => Result): Result {
  return contexts.exit(run);
}

/** undefined: a job, the start, or an ingest request that is not traced, which carries its id by hand. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}

/** The function runs for the current request, whatever calls it later. */
export function forThisRequest<Arguments extends unknown[], Result>(
  run: (...arguments_: Arguments) => Result,
): (...arguments_: Arguments) => Result {
  return AsyncLocalStorage.bind(run);
}

/** In letter case as proxies and clients write it. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** UUIDs, base64, W3C trace ids, ids of proxies with a host before them. No blank, quote or line break, and nothing that begins a formula. */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/;
/** What nearly all proxies make: nothing to mask in it. */
const UUID = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/**
 * The sender's id where it is well-formed, or a new one. An id in which a key or an address of a person stands is not taken: it would be logged.
 * @param given the header's value
 */
export function requestIdFrom(given: unknown): string {
  if (typeof given !== 'string') return randomUUID();
  return UUID.test(given) || (WELL_FORMED.test(given) && maskText(given) === given) ? given : randomUUID();
}
