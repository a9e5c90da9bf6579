/** What an application may call. Types alone: the build publishes this file unchanged, with the package's function appended. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface GhostlightOptions {
  /** Where the service answers: `https://ghostlight.example`, without a path of its own. */
  url: string | undefined;
  /** The property's UUID. */
  attributionId: string | undefined;
  /** An ingest key. A secret: it belongs into the environment. */
  key: string | undefined;
  /**
   * Who names the client's address: how many proxies are in front of the application (0: none), their addresses (`10.0.0.0/8`, `private`),
   * or the header that the platform sets (`cf-connecting-ip`). Left out: the address of the connection, unless a request shows that it came through a
   * proxy. Then no address is read, and no bot can be verified by its address.
   */
  trustProxy?: number | string;
  /** The site's public host, where proxies hide it. Default: the Host header. */
  host?: string;
  /** Share of all other requests that is sent as anonymous samples, 0 to 1. Default 0.02. */
  sampleRate?: number;
  /** Serves the signed manifest of the property's tools at `/.well-known/webmcp.json`. Default false. */
  manifest?: boolean;
  /** Visits that wait at most; beyond that the oldest are dropped and counted. Default 5,000. */
  maxQueue?: number;
  /** Sends what waits when the process gets SIGTERM or has nothing left to do. Default true. */
  flushOnExit?: boolean;
  /** Takes each sentence that a person should read. Default: `console.warn`. */
  log?: (sentence: string) => void;
  /** Takes everything that happens, for setup and tests. */
  debug?: (event: DebugEvent) => void;
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch;
}

export type DebugEvent =
  /** A visit waits to be sent. `verified` is null where nothing could be decided. */
  | {
      type: 'visit';
      class: 'ai_bot' | 'ai_referral' | 'sample';
      path: string;
      verified: boolean | null;
    }
  /** The service has taken a batch. */
  | ({ type: 'sent'; visits: number } & Answered)
  /** A batch was not taken, and is sent again after the pause. */
  | { type: 'failed'; problem: string; retryInMs: number }
  /** Visits are lost: more wait than may, or the service refused them permanently. */
  | { type: 'dropped'; visits: number; reason: 'queue_full' | 'refused' | 'closed' };

/** What the service did with visits that it took. */
export interface Answered {
  kept: number;
  /** It had them already. */
  duplicate: number;
  /** No AI visits, by its own lists. */
  dropped: number;
  rejected: number;
}

export interface Stats extends Answered {
  /** Requests that were seen. */
  requests: number;
  /** Of these: AI visits and samples that were put into the queue. */
  visits: number;
  /** Of these: all others, sent as numbers alone. */
  others: number;
  /** In the queue, being checked, or on their way. */
  waiting: number;
  /** Visits that the service has taken. */
  sent: number;
  /** Visits that were lost: the queue was full, or the service refused them permanently. */
  lost: number;
  /** Requests whose numbers were lost. */
  lostOthers: number;
  /** `packed`: the lists that came with the package; `service`: those of the service, renewed every six hours. */
  lists: 'packed' | 'service';
  /** Why nothing is sent at the moment; null where all is well. */
  problem: string | null;
}

/** Fastify's instance, as far as the plugin uses it. */
export interface FastifyLike {
  // biome-ignore lint/suspicious/noExplicitAny: each of Fastify's hooks has parameters of its own
  addHook(name: 'onRequest', hook: (request: any, reply: any, done: () => void) => void): unknown;
}

/** Hono's context, as far as the middleware uses it. */
export interface HonoLike {
  readonly req: { readonly raw: Request };
  readonly res: Response;
  readonly env: unknown;
}

/** Koa's context, as far as the middleware uses it. */
export interface KoaLike {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly originalUrl: string;
  respond?: boolean | undefined;
}

/** Next's event, as far as it is used. */
export interface NextLike {
  waitUntil(promise: Promise<unknown>): void;
}

/** Nothing in here throws into the application, and no response waits for it. Every member can be passed on by itself. */
export interface Ghostlight {
  /** `app.use(visits.express)`, before all other middleware. Also for Connect. */
  express(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** `await app.register(visits.fastify)`; it covers all routes, whatever it is registered in. */
  fastify(instance: FastifyLike, options: unknown, done: (error?: Error) => void): void;
  /** `app.use(visits.hono)` */
  hono(context: HonoLike, next: () => Promise<void>): Promise<Response | undefined>;
  /** `app.use(visits.koa)` */
  koa(context: KoaLike, next: () => Promise<unknown>): Promise<void>;
  /**
   * In `proxy.ts`: `return visits.next(request, event)`. Next tells a proxy neither status nor size of the response, so visits have neither.
   * @returns the manifest where it was requested, else undefined: Next goes on
   */
  next(request: Request, event?: NextLike): Promise<Response | undefined>;
  /** `http.createServer(visits.http(listener))` */
  http(listener: RequestListener): RequestListener;
  stats(): Stats;
  /** Sends what waits, once. Never rejects. @param timeoutMs the longest that it takes; default 5,000 */
  flush(timeoutMs?: number): Promise<void>;
  /** Sends what waits and ends: requests are not seen any more. Never rejects. */
  close(timeoutMs?: number): Promise<void>;
}
