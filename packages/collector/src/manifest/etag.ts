/** RFC 9110 §8.8.3, short enough for KV's metadata, and without the comma that would end it in a list. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x2b\x2d-\x7e]{0,200}"$/;

/** @returns the tag when it is one that can be sent on; a header or an entry in KV may hold anything */
export function readEtag(value: unknown): string | null {
  return typeof value === 'string' && ETAG.test(value) ? value : null;
}

/** A tag of our own, where a proxy in between has dropped the service's. */
export async function etagOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}

/** `If-None-Match` compares weakly (RFC 9110 §13.1.2): a proxy that compresses turns `"x"` into `W/"x"`. */
export function matchesEtag(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return condition.trim() === '*' || condition.split(',').some((tag) => opaque(tag) === opaque(etag));
}
