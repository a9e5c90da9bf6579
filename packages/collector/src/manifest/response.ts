import { matchesEtag } from './etag.ts';

/** Where the document came from. `X-WebMCP-Cache` has it, for debugging. */
export type CacheState =
  /** From the edge. */
  | 'HIT'
  /** The edge had none: from the service. */
  | 'MISS'
  /** From the service, because the request asked to go past the cache. */
  | 'REVALIDATED'
  /** From the edge, because the service gave none. */
  | 'STALE';

/** The answer to a GET or HEAD, conditional or not. */
export function manifestResponse(request: Request, text: string, etag: string, state: CacheState): Response {
  const headers = new Headers({
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=3600',
    // An agent may be a page of another site: what is published is public.
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
    'X-WebMCP-Cache': state,
  });
  if (matchesEtag(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : text, { headers });
}

/**
 * Whether the sender asks for what the service has now: an agent does when a document did not verify. `Pragma` counts where
 * `Cache-Control` is absent (RFC 9111 §5.4).
 */
export function wantsToPassCache(headers: Headers): boolean {
  const directives = headers.get('Cache-Control') ?? headers.get('Pragma') ?? '';
  return directives.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache');
}
