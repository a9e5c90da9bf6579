import { readAtMost } from '../bounded-body.ts';
import type { ManifestSource } from '../settings/index.ts';
import { MAX_MANIFEST_BYTES, type ManifestDocument, readDocument } from './document.ts';
import { etagOf, readEtag } from './etag.ts';
import { SERVICE_TIMEOUT_MS } from './times.ts';

/** What the service said. `trouble`: nothing that may be served; the reason is one of few, for the log. */
export type ServiceAnswer =
  | { readonly outcome: 'document'; readonly document: ManifestDocument; readonly etag: string }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'trouble'; readonly reason: string };

export interface ManifestService {
  /**
   * Asks for the manifest, at most `SERVICE_TIMEOUT_MS` long. Never rejects.
   * @param etag of the document at hand, for `If-None-Match`; null fetches whatever there is
   */
  ask(source: ManifestSource, etag: string | null): Promise<ServiceAnswer>;
}

/**
 * How many questions an isolate may have open. During an outage each waits its full time; the bound keeps a flood of visits from becoming
 * a flood on the service.
 */
const MAX_OPEN_QUESTIONS = 8;

export function createManifestService(deps: {
  readonly fetch: typeof fetch;
  readonly now: () => number;
}): ManifestService {
  /** When each open question was asked. Times and no counter: a client that leaves ends our code without its `finally`. */
  let open: readonly number[] = [];

  return {
    async ask(source, etag) {
      const now = deps.now();
      open = open.filter((asked) => now - asked < SERVICE_TIMEOUT_MS);
      if (open.length >= MAX_OPEN_QUESTIONS) return trouble('too many requests wait for it');
      open = [...open, now];
      try {
        return await askOnce(deps, source, etag);
      } catch (error) {
        const late = error instanceof Error && error.name === 'TimeoutError';
        return trouble(late ? 'it did not answer in time' : 'it cannot be reached');
      } finally {
        const index = open.indexOf(now);
        open = open.filter((_, other) => other !== index);
      }
    },
  };
}

async function askOnce(
  // Taken apart: workerd refuses its `fetch` when it is called as a member of another object.
  { fetch, now }: { readonly fetch: typeof globalThis.fetch; readonly now: () => number },
  source: ManifestSource,
  etag: string | null,
): Promise<ServiceAnswer> {
  const headers = new Headers({ Accept: 'application/json' });
  if (etag !== null) headers.set('If-None-Match', etag);
  const response = await fetch(source.url, {
    headers,
    // A redirect would take the document from wherever it points to.
    redirect: 'manual',
    signal: AbortSignal.timeout(SERVICE_TIMEOUT_MS),
    ...pastCaches(),
  });
  if (response.status !== 200) {
    // Unread bodies hold one of the few connections that a request may have open.
    await response.body?.cancel().catch(() => {});
    if (response.status === 404) return { outcome: 'gone' };
    if (response.status === 304 && etag !== null) return { outcome: 'unchanged' };
    return trouble(`it answered ${response.status}`);
  }
  const bytes = await readAtMost(response.body, MAX_MANIFEST_BYTES);
  if (bytes === null) return trouble('its manifest is too large');
  const text = decode(bytes);
  if (text === null) return trouble('its manifest is unusable: it is no UTF-8');
  const document = readDocument(text, source.attributionId, now());
  if (typeof document === 'string') return trouble(`its manifest is unusable: ${document}`);
  return {
    outcome: 'document',
    document,
    etag: readEtag(response.headers.get('ETag')) ?? (await etagOf(text)),
  };
}

/**
 * If the service is behind Cloudflare too, its answers may be cached there for their max-age; a rotation would take an hour.
 * A Worker with a compatibility date before 2024-11-11 doesn't support this option, and throws when it is given.
 */
function pastCaches(): RequestInit {
  return 'cache' in Request.prototype ? { cache: 'no-store' } : {};
}

/** Strict, and keeping a byte order mark: what is encoded again must be the same bytes. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function trouble(reason: string): ServiceAnswer {
  return { outcome: 'trouble', reason };
}
