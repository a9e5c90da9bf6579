/**
 * What the edge checks before it passes a manifest on. It does not verify the signature: it would fetch the keys over TLS from the same
 * service that it fetched the document from, so that the proof would add nothing to what TLS has proven already. Agents verify.
 */
import { isObject } from '@ghostlight/core';

/** The largest manifest, as the service publishes it. */
export const MAX_MANIFEST_BYTES = 256 * 1024;
/** Metadata in KV may take 1024 bytes; a `kid` is a thumbprint of 43. */
const MAX_KID_LENGTH = 128;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** A manifest that may be served: the bytes as the service signed them (canonical form), and what was read from them. */
export interface ManifestDocument {
  readonly text: string;
  readonly hosts: readonly string[];
  /** The key that signed it, for who looks into the cache; null when the signature does not say. */
  readonly kid: string | null;
}

/**
 * Reads a manifest of one property, wherever it came from: an entry in KV is checked like an answer of the service.
 * @param now milliseconds since 1970
 * @returns the document, or why it is none in a few words
 */
export function readDocument(text: string, attributionId: string, now: number): ManifestDocument | string {
  // UTF-8 takes at least one byte for each UTF-16 unit, so that this never refuses what the byte limit lets through.
  if (text.length > MAX_MANIFEST_BYTES) return 'it is too large';
  const body = parseObject(text);
  if (body === null) return 'it is no JSON object';
  const { attribution_id, expires_at, hosts, signature } = body;
  if (typeof attribution_id !== 'string' || attribution_id.toLowerCase() !== attributionId.toLowerCase()) {
    return 'it belongs to another attribution ID';
  }
  if (typeof signature !== 'string') return 'it is not signed';
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string')) return 'it lists no hosts';
  if (typeof expires_at !== 'string' || !RFC_3339.test(expires_at)) return 'it does not say when it expires';
  // Not `<=`, which an impossible date (NaN) would pass.
  if (!(Date.parse(expires_at) > now)) return 'it has expired';
  return { text, hosts, kid: keyIdOf(signature) };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The `kid` of a detached compact JWS, `<base64url(protected header)>..<base64url(signature)>`. */
function keyIdOf(signature: string): string | null {
  const header = signature.split('.', 1)[0] ?? '';
  try {
    const kid = parseObject(atob(header.replaceAll('-', '+').replaceAll('_', '/')))?.['kid'];
    return typeof kid === 'string' && kid.length <= MAX_KID_LENGTH ? kid : null;
  } catch {
    return null;
  }
}
