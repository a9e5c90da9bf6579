/** The signed manifest of the site's tools, served as the collector serves it at the edge; memory stands for the edge's caches. */
import { createManifestHost, MANIFEST_PATH } from '../../collector/src/manifest/index.ts';
import type { KvNamespace } from '../../collector/src/platform.ts';
import { hostOf, type Incoming } from './incoming.ts';
import type { Settings } from './settings.ts';

export interface ManifestDeps {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly log: (sentence: string) => void;
}

/** @returns what answers a request, or null where it is the application's. Never rejects, and waits for the service at most 3 s */
export type ServeManifest = (incoming: Incoming) => Promise<Response | null> | null;

export function createManifest(settings: Settings, deps: ManifestDeps): ServeManifest {
  const { url, attributionId, host } = settings;
  if (!settings.manifest) return () => null;
  const served = createManifestHost({ ...deps, openCache: async () => null });
  const source = { url: `${url}/api/v1/webmcp/${attributionId}/manifest/`, attributionId };
  const copies = memoryNamespace(deps.now);
  const background = { waitUntil: () => {}, passThroughOnException: () => {} };
  return (incoming) => {
    const { target, method } = incoming;
    if (!target.startsWith(MANIFEST_PATH)) return null;
    // The scheme decides nothing: the document lists hosts.
    const address = URL.parse(`https://${host ?? hostOf(incoming)}${target}`);
    if (address?.pathname !== MANIFEST_PATH || !['GET', 'HEAD'].includes(method)) return null;
    try {
      const request = new Request(address, { method, headers: incoming.headers() });
      return served.respond(request, source, copies, background).catch(() => null);
    } catch {
      return null;
    }
  };
}

/** One property has two entries of at most 256 KiB. */
function memoryNamespace(now: () => number): KvNamespace {
  const entries = new Map<string, { value: string; metadata: unknown; until: number }>();
  return {
    async getWithMetadata<Metadata>(key: string) {
      const entry = entries.get(key);
      if (entry === undefined || entry.until <= now()) return { value: null, metadata: null };
      return { value: entry.value, metadata: entry.metadata as Metadata };
    },
    async put(key, value, { expirationTtl, metadata }) {
      entries.set(key, { value, metadata, until: now() + expirationTtl * 1_000 });
    },
    async delete(key) {
      entries.delete(key);
    },
  };
}
