/**
 * What the collector needs of Cloudflare's runtime, as small types of its own: the runtime's ambient types would replace Node's in every
 * file of this workspace. They have the runtime's structure; `types.test.ts` checks that.
 */

/** The collector's variables and bindings (docs/collector.md lists them); the platform hands them in with each request. */
export interface CollectorEnv {
  readonly SERVICE_INGEST_URL?: string;
  readonly SERVICE_ATTRIBUTION_ID?: string;
  readonly SERVICE_BOTLIST_URL?: string;
  /** Text, as variables are; a configuration file may also carry a number. */
  readonly SERVICE_SAMPLE_RATE?: string | number;
  /** Empty: no manifest is served. */
  readonly SERVICE_MANIFEST_URL?: string;
  readonly SERVICE_API_KEY?: string;
  readonly WEBMCP_CACHE?: KvNamespace;
}

/** The part of a key-value namespace that the manifest cache uses. */
export interface KvNamespace {
  getWithMetadata<Metadata>(
    key: string,
    options: { type: 'text'; cacheTtl?: number },
  ): Promise<{ value: string | null; metadata: Metadata | null }>;
  put(key: string, value: string, options: { expirationTtl: number; metadata?: unknown }): Promise<void>;
  delete(key: string): Promise<void>;
}

/** What comes with each request. `waitUntil` keeps work alive for up to 30 s after the response. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void;
  /** Lets the origin answer when the Worker throws. */
  passThroughOnException(): void;
}

/** What the edge knows of a request; undefined in the platform's preview. */
export interface RequestFacts {
  readonly asn?: number;
  readonly country?: string | null;
}

/** The cache of one data centre. Its entries are not replicated, and outlive the isolate. */
export interface EdgeCache {
  match(key: string): Promise<Response | undefined>;
  put(key: string, response: Response): Promise<void>;
  delete(key: string): Promise<boolean>;
}

interface CacheStorageLike {
  open(name: string): Promise<EdgeCache>;
}

/**
 * A cache of our own by name: the default one shares its keys with the zone's cache of the origin, so that an origin could write into it.
 * @returns null where the platform has none (its preview, a bare runtime)
 */
export async function openEdgeCache(): Promise<EdgeCache | null> {
  const storage = (globalThis as { caches?: CacheStorageLike }).caches;
  try {
    return storage === undefined ? null : await storage.open('ghostlight');
  } catch {
    return null;
  }
}
