/** What an isolate has read over the network, kept in its data centre's cache for the isolates that follow. */
import type { EdgeCache } from '../platform.ts';

/**
 * How long a copy is kept. Its freshness is decided by the stamp that it carries, not by the cache: a copy that is past its time
 * must still be there when the service is not.
 */
export const COPY_SECONDS = 7 * 24 * 3600;

/**
 * The key of a copy: a URL on the visited site's own origin, because a zone may only cache what is its own.
 * @param kind what is kept: a folder of its own
 * @param url where it was read
 */
export async function copyKey(siteOrigin: string, kind: 'lists' | 'keys', url: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url)));
  const name = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${siteOrigin}/.well-known/ghostlight/${kind}/${name}`;
}

/** @param seconds how long the cache may keep it */
export function copyOf(
  body: ConstructorParameters<typeof Response>[0],
  stamps: Record<string, string>,
  seconds: number = COPY_SECONDS,
): Response {
  return new Response(body, {
    headers: { 'content-type': 'application/json', 'cache-control': `max-age=${seconds}`, ...stamps },
  });
}

/**
 * A time that a copy carries, or a length of time: milliseconds. 0 where it is missing, no number, or in the future: what a machine
 * with a wrong clock has stamped would never be due.
 */
export function stamp(copy: Response, name: string, now: number): number {
  const value = Number(copy.headers.get(name) ?? '');
  return value <= now ? value : 0;
}

/** Never rejects: a cache that fails is a cache without the copy. */
export async function readCopy(cache: EdgeCache, key: string): Promise<Response | null> {
  return (await cache.match(key).catch(() => undefined)) ?? null;
}

/** Never rejects: the next caller asks the network, as if nothing had been cached. */
export async function keepCopy(cache: EdgeCache, key: string, copy: Response): Promise<void> {
  await cache.put(key, copy).catch(() => {});
}
