import type { KvNamespace } from '../platform.ts';
import type { Copy } from './copy.ts';
import type { ManifestDocument } from './document.ts';
import { readEtag } from './etag.ts';
import { KV_CACHE_S, KV_STALE_TTL_S, KV_TTL_S } from './times.ts';

/** The copies in the customer's namespace: one for an hour, a second one for a day of which only an outage makes use. */
export interface KeyValueCopies {
  fresh(): Promise<Copy | null>;
  stale(): Promise<Copy | null>;
  write(document: ManifestDocument, etag: string, at: number): Promise<void>;
  remove(): Promise<void>;
}

/** The metadata of a value: for a person who lists the namespace, and for the request to the service. */
interface Metadata {
  readonly kid: string | null;
  readonly etag: string;
  readonly at: number;
}

/**
 * Never rejects: a namespace that cannot be read or written is as good as absent, and a write beyond the one a second that a key may take
 * is a write of what another visit has just written.
 */
export function keyValueCopies(kv: KvNamespace, attributionId: string): KeyValueCopies {
  const key = `webmcp:v1:${attributionId}`;
  const staleKey = `${key}:stale`;
  const put = (name: string, document: ManifestDocument, expirationTtl: number, metadata: Metadata) =>
    kv.put(name, document.text, { expirationTtl, metadata });

  return {
    fresh: () => read(kv, key),
    stale: () => read(kv, staleKey),
    async write(document, etag, at) {
      const metadata: Metadata = { kid: document.kid, etag, at };
      await Promise.allSettled([
        attempt(() => put(key, document, KV_TTL_S, metadata)),
        attempt(() => put(staleKey, document, KV_STALE_TTL_S, metadata)),
      ]);
    },
    async remove() {
      await Promise.allSettled([attempt(() => kv.delete(key)), attempt(() => kv.delete(staleKey))]);
    },
  };
}

async function read(kv: KvNamespace, key: string): Promise<Copy | null> {
  try {
    const { value, metadata } = await kv.getWithMetadata<Partial<Metadata>>(key, {
      type: 'text',
      cacheTtl: KV_CACHE_S,
    });
    if (value === null) return null;
    // A value may have been put there by hand, with no metadata or any.
    const { etag, at } = metadata ?? {};
    return {
      text: value,
      etag: readEtag(etag),
      at: typeof at === 'number' ? at : 0,
    };
  } catch {
    return null;
  }
}

/** Makes a rejection of what throws at once, so that one key's fault does not keep the other from being written. */
async function attempt(work: () => Promise<void>): Promise<void> {
  await work();
}
