/**
 * The listener. Ingest paths are matched here, exactly, before the application: they authenticate before a body is read, stream, and are the
 * one place where every microsecond counts. Everything else goes to Hono.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ERRORS, type ErrorCode, inRequest, REQUEST_ID_HEADER } from '../common/index.ts';
import { namesOneHost, type TrustedProxies } from './client-address.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { requestIdOf } from './request-id.ts';
import { patientRequests } from './small-pieces.ts';

/** @param query the part of the URL after `?`, undecoded, without it */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, query: string) => void;

export interface HttpServer {
  /** Where it really listens: the port may have been 0. */
  readonly address: AddressInfo;
  /** Takes no new connection, lets what is under way end within the time, then cuts it. */
  close(graceMs: number): Promise<void>;
}

/**
 * Limits that keep clients from holding sockets. Uploads may be long, so no bound on every request as a whole; intake has its own bounds on how a
 * body arrives.
 */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connections: { total: 10_000, perAddress: 1_000 },
  /** A request of the application as a whole, from its headers to its body's last byte. */
  bodyTimeout: 30_000,
  /** A socket on which nothing moves; live streams send a heartbeat more often. */
  idleTimeout: 60_000,
} as const;

/** What load balancers ask. With HTTP/1.0, which many of them speak for it, a request need not name a host. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const CLOSE_IDLE_MS = 100;
const LINGER_MS = 1_000;
/** How long a browser asks for this host over https alone; seconds. */
const STRICT_TRANSPORT = 'max-age=31536000';
const BAD_REQUEST = problem('malformed_body', 'The request must name one host.');
const IN_CRUMBS = problem('malformed_body', 'The chunks of the body are too small. Send it in larger ones.');
const TIMED_OUT = problem('request_timeout', 'The body arrives too slowly. Nothing was done.');

export interface ServerLimits {
  readonly connections: ConnectionLimits;
  /** Milliseconds. */
  readonly bodyTimeout: number;
}

export async function startHttpServer(options: {
  host: string;
  port: number;
  raw: ReadonlyMap<string, RawHandler>;
  /** Whether a raw path is served at the request's host; where it is not, the application says so. */
  serves?: (request: IncomingMessage, path: string) => boolean;
  fetch: (request: Request, env: { incoming: IncomingMessage }) => Response | Promise<Response>;
  trust?: TrustedProxies;
  /** Whether browsers reach this service over https. */
  isHttps?: boolean;
  /** Called for every request that a proxy forwarded though no proxy is trusted. */
  onUntrustedProxy?: () => void;
  limits?: Partial<ServerLimits>;
}): Promise<HttpServer> {
  const limits = { ...LIMITS, ...options.limits };
  const trust = options.trust ?? { kind: 'none' };
  // Its light Request must also be the global one: middleware that copies a request (a body limit) fails otherwise.
  const toHono = getRequestListener((request, env) =>
    options.fetch(request, env as { incoming: IncomingMessage }),
  );
  const connections = new Connections(limits.connections, trust);
  const server = createServer({
    headersTimeout: LIMITS.headersTimeout,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: LIMITS.keepAliveTimeout,
    maxHeaderSize: LIMITS.maxHeaderSize,
    IncomingMessage: patientRequests((request) => {
      connections.slowDown(request.socket);
      refuse(request, IN_CRUMBS);
    }),
  });
  const dispatch = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean): void => {
    // A sender that never pauses would keep its connection, and the stop waiting, to the end of the grace.
    if (!server.listening) response.shouldKeepAlive = false;
    const requestId = requestIdOf(request);
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (options.isHttps === true) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT);
    if (!namesOneHost(request)) {
      refuse(request, BAD_REQUEST);
      return;
    }
    if (trust.kind === 'none' && request.headers['x-forwarded-for'] !== undefined)
      options.onUntrustedProxy?.();
    const url = originForm(request.url ?? '/');
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const handler = options.raw.get(path);
    if (handler !== undefined && (options.serves?.(request, path) ?? true)) {
      handler(request, response, mark === -1 ? '' : url.slice(mark + 1));
      return;
    }
    if (HEALTH_PATHS.has(path)) request.headers.host ??= 'localhost';
    if (asksFirst) response.writeContinue();
    boundBody(request, response, limits.bodyTimeout);
    void inRequest({ requestId }, () => toHono(request, response));
  };
  server.on('request', (request, response) => dispatch(request, response, false));
  // Left to Node, `Expect: 100-continue` would be answered before the key is looked at; intake answers it once it wants the body.
  server.on('checkContinue', (request, response) => dispatch(request, response, true));
  connections.watch(server);
  server.setTimeout(LIMITS.idleTimeout);
  await listen(server, options.host, options.port);
  return {
    address: server.address() as AddressInfo,
    close: (graceMs) => close(server, graceMs),
  };
}

/** The application may not be kept waiting: what was checked at the head of a request has to hold at its end. */
function boundBody(request: IncomingMessage, response: ServerResponse, ms: number): void {
  if (request.complete || hasNoBody(request)) return;
  const timer = setTimeout(() => {
    if (!request.complete && !response.headersSent) refuse(request, TIMED_OUT);
  }, ms);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** Answers past the request's handler, as Node does on a request that it can't read, and ends the connection. */
function refuse(request: IncomingMessage, answer: (requestId: string) => string): void {
  const { socket } = request;
  socket.end(answer(requestIdOf(request)));
  // A sender that goes on sending is not listened to.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** @returns the answer as it goes over the wire, for a request's id */
function problem(code: ErrorCode, detail: string): (requestId: string) => string {
  const { status, title } = ERRORS[code];
  return (requestId) => {
    const body = JSON.stringify({
      type: `/problems/${code}`,
      title,
      status,
      detail,
      request_id: requestId,
    });
    return [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n');
  };
}

/** A proxy may name the whole address in the request line (RFC 9112 §3.2.2); what counts is the part from the path on. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // What was under way at the stop is idle once it is answered.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
