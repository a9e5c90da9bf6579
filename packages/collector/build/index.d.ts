/**
 * What `@ghostlight/collector` exports, as its package publishes it: written by hand, because the sources' own declarations import the
 * workspace. package.test.ts holds it to them.
 */

/** The collector's variables and bindings, which the platform hands in with each request. */
export interface CollectorEnv {
  /** `{your service}/v1/logs/edge_worker`. */
  readonly SERVICE_INGEST_URL?: string;
  /** The property's UUID. */
  readonly SERVICE_ATTRIBUTION_ID?: string;
  /** `{your service}/v1/config/ai-bots`. */
  readonly SERVICE_BOTLIST_URL?: string;
  /** Share of the other traffic that is sent as anonymous samples, 0 to 1; 0.02 when it is not set. */
  readonly SERVICE_SAMPLE_RATE?: string | number;
  /** `{your service}/api/v1/webmcp`. Empty: no manifest is served. */
  readonly SERVICE_MANIFEST_URL?: string;
  /** The ingest key. A secret: it is never in a configuration file. */
  readonly SERVICE_API_KEY?: string;
  /** Keeps the signed manifest at the edge for an hour. */
  readonly WEBMCP_CACHE?: KvNamespace;
}

/** The part of the platform's `KVNamespace` that the manifest cache uses. */
export interface KvNamespace {
  getWithMetadata<Metadata>(
    key: string,
    options: { type: 'text'; cacheTtl?: number },
  ): Promise<{ value: string | null; metadata: Metadata | null }>;
  put(key: string, value: string, options: { expirationTtl: number; metadata?: unknown }): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The part of the platform's `ExecutionContext` that the collector uses. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void;
  passThroughOnException(): void;
}

/** The build that every event names (`worker_version`). */
export declare const WORKER_VERSION: string;

/**
 * Puts the collector around a Worker that the zone already has: an object of handlers, or a class derived from `WorkerEntrypoint`.
 * @returns a Worker of the same type
 */
export declare const withGhostlight: <Handler extends object>(handler: Handler) => Handler;

/** The Worker on its own: every request goes to the origin. */
declare const collector: {
  fetch(request: Request, env: CollectorEnv, ctx: WorkerContext): Promise<Response>;
};
export default collector;
