/** Answers of the endpoints. What the hot path sends is built once; early answers let the sender finish speaking, within bounds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode, REQUEST_ID_HEADER, ServiceError } from '../common/index.ts';
import type { Fault, SourceAnswer, Spoken } from '../sources/index.ts';

/** A body up to this size is read and thrown away after an early answer, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
/** A longer one is read this long before the connection closes: closing at once would reset it and lose the answer on its way. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 4 * 1024 * 1024;

/** Seconds after which a sender may try again when the spool is full or the storage fails. */
const RETRY_AFTER = '5';

/** For a log line: the id that the listener has put on the answer. The bodies of these answers do without, as senders know them. */
export function about(response: ServerResponse): { readonly request_id: unknown } {
  return { request_id: response.getHeader(REQUEST_ID_HEADER) };
}

interface PreparedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly detail: string;
}

/** How a source's sender learns why a request is not accepted; null: by a problem document. */
export type Voice = ((fault: Fault) => Spoken & { readonly status: number }) | null;

function prepare(
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
  extra: object = {},
): PreparedAnswer {
  const { status, title } = ERRORS[code];
  const body = Buffer.from(JSON.stringify({ type: `/problems/${code}`, title, status, detail, ...extra }));
  return {
    status,
    body,
    detail,
    headers: {
      'Content-Type': 'application/problem+json',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
      ...headers,
    },
  };
}

/** One answer for every cause: an attacker who guesses keys learns nothing from it. */
const UNAUTHORIZED = prepare(
  'unauthorized',
  'Send a valid ingest key in the X-API-Key header: the bare key, without Bearer, quotes or spaces.',
  { 'WWW-Authenticate': 'ApiKey' },
);
const METHOD_NOT_ALLOWED = prepare('method_not_allowed', 'This endpoint takes POST.', { Allow: 'POST' });
const UNAVAILABLE = prepare('unavailable', 'Nothing was stored. Send the same request again later.', {
  'Retry-After': RETRY_AFTER,
});

/** The same answer, where it is thrown. */
export function tooManyWait(): ServiceError {
  return new ServiceError('unavailable', UNAVAILABLE.detail, { headers: { 'Retry-After': RETRY_AFTER } });
}

/** What the source says to a request that took effect. */
export function settled(response: ServerResponse, answer: SourceAnswer, voice: Voice = null): void {
  if ('problem' in answer) {
    send(response, spoken(prepare(answer.problem, answer.detail, {}, { errors: answer.errors }), voice));
  } else if (answer.status === 204) noContent(response);
  else if ('json' in answer) ok(response, 'application/json', JSON.stringify(answer.json));
  else ok(response, answer.contentType, answer.body);
}

export function noContent(response: ServerResponse): void {
  if (!isOpen(response)) return;
  response.writeHead(204);
  response.end();
}

function ok(response: ServerResponse, contentType: string, body: string | Uint8Array): void {
  if (!isOpen(response)) return;
  const bytes = Buffer.from(body as string);
  response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length });
  response.end(bytes);
}

/** @param other what the source's senders may do beside posting @param first instead of posting */
export function methodNotAllowed(
  request: IncomingMessage,
  response: ServerResponse,
  other: readonly string[] = [],
  first: readonly string[] = ['POST'],
): void {
  const allowed = [...first, ...other].join(', ');
  const told =
    allowed === 'POST'
      ? METHOD_NOT_ALLOWED
      : prepare('method_not_allowed', `This endpoint takes ${allowed}.`, { Allow: allowed });
  sendEarly(request, response, told);
}

/** @param detail where else the source's senders may put the key */
export function unauthorized(
  request: IncomingMessage,
  response: ServerResponse,
  voice: Voice = null,
  detail: string | null = null,
): void {
  const told =
    detail === null ? UNAUTHORIZED : prepare('unauthorized', detail, { 'WWW-Authenticate': 'ApiKey' });
  sendEarly(request, response, spoken(told, voice));
}

export function unavailable(request: IncomingMessage, response: ServerResponse, voice: Voice = null): void {
  sendEarly(request, response, spoken(UNAVAILABLE, voice));
}

export function problem(
  request: IncomingMessage,
  response: ServerResponse,
  error: ServiceError,
  voice: Voice = null,
): void {
  sendEarly(request, response, spoken(prepare(error.code, error.message, error.headers), voice));
}

/** The same in the words of the source's sender. */
function spoken(answer: PreparedAnswer, voice: Voice): PreparedAnswer {
  if (voice === null) return answer;
  const { status, contentType, body } = voice({ status: answer.status, detail: answer.detail });
  const bytes = Buffer.from(body as string);
  const headers = { ...answer.headers, 'Content-Type': contentType, 'Content-Length': bytes.length };
  return { status, detail: answer.detail, headers, body: bytes };
}

function isOpen(response: ServerResponse): boolean {
  return !response.headersSent && !response.destroyed;
}

function send(response: ServerResponse, answer: PreparedAnswer): void {
  if (!isOpen(response)) return;
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

/** Answers whether or not the body was read. */
function sendEarly(request: IncomingMessage, response: ServerResponse, answer: PreparedAnswer): void {
  if (!isOpen(response)) return;
  const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (request.complete) {
    send(response, answer);
  } else if (answer.status === ERRORS.request_timeout.status) {
    // A sender that stopped speaking is not waited for again.
    response.writeHead(answer.status, { ...answer.headers, Connection: 'close' });
    response.end(answer.body);
  } else if (announced <= DRAIN_BYTES) {
    send(response, answer);
    request.resume();
    closeWhenStalled(request);
  } else {
    response.writeHead(answer.status, { ...answer.headers, Connection: 'close' });
    if (request.method !== 'HEAD') response.write(answer.body);
    linger(request, () => response.end());
  }
}

/** A sender that was answered and then never finishes its small body holds a socket for no longer than a lingering one. */
function closeWhenStalled(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, LINGER_MS);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
}

/** Reads and forgets until the sender is done, goes away, or has had its time. */
function linger(request: IncomingMessage, done: () => void): void {
  let read = 0;
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > LINGER_BYTES) finish();
  });
  request.once('end', finish);
  request.once('close', finish);
  request.once('error', finish);
  request.resume();
}
