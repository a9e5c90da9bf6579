/**
 * The listener. Ingest paths are matched here, exactly, before the application: they authenticate before a body is read, stream, and are the
 * one place where every microsecond counts. Everything else goes to Hono.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

/** @param query the part of the URL after `?`, undecoded, without it */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, query: string) => void;

export interface HttpServer {
  /** Where it really listens: the port may have been 0. */
  readonly address: AddressInfo;
  /** Takes no new connection, lets what is under way end within the time, then cuts it. */
  close(graceMs: number): Promise<void>;
}

/** Bounds that keep strangers from holding sockets. Uploads may be long, so no bound on a whole request; bodies have their own idle limit. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 10_000,
  /** A socket on which nothing moves; live streams send a heartbeat more often. */
  idleTimeout: 60_000,
} as const;

const CLOSE_IDLE_MS = 100;

export async function startHttpServer(options: {
  host: string;
  port: number;
  raw: ReadonlyMap<string, RawHandler>;
  /** Whether a raw path is served at the request's host; where it is not, the application says so. */
  serves?: (request: IncomingMessage, path: string) => boolean;
  fetch: (request: Request, env: { incoming: IncomingMessage }) => Response | Promise<Response>;
}): Promise<HttpServer> {
  // Its light Request must also be the global one: middleware that copies a request (a body limit) fails otherwise.
  const toHono = getRequestListener((request, env) =>
    options.fetch(request, env as { incoming: IncomingMessage }),
  );
  const server = createServer({
    headersTimeout: LIMITS.headersTimeout,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: LIMITS.keepAliveTimeout,
    maxHeaderSize: LIMITS.maxHeaderSize,
  });
  const dispatch = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean): void => {
    // A sender that never pauses would keep its connection, and the stop waiting, to the end of the grace.
    if (!server.listening) response.shouldKeepAlive = false;
    const url = originForm(request.url ?? '/');
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const handler = options.raw.get(path);
    if (handler !== undefined && (options.serves?.(request, path) ?? true)) {
      handler(request, response, mark === -1 ? '' : url.slice(mark + 1));
      return;
    }
    if (asksFirst) response.writeContinue();
    void toHono(request, response);
  };
  server.on('request', (request, response) => dispatch(request, response, false));
  // Left to Node, `Expect: 100-continue` would be answered before the key is looked at; intake answers it once it wants the body.
  server.on('checkContinue', (request, response) => dispatch(request, response, true));
  server.maxConnections = LIMITS.maxConnections;
  server.setTimeout(LIMITS.idleTimeout);
  await listen(server, options.host, options.port);
  return {
    address: server.address() as AddressInfo,
    close: (graceMs) => close(server, graceMs),
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
