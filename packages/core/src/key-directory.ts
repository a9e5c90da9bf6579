/**
 * Reads a signature agent's key directory (draft-ietf-webbotauth-httpsig-protocol): a JWKS, or one bare JWK as some publish it.
 * WebCrypto alone, so that an edge can do it too.
 */

import { encodeBase64url } from './base64url.ts';
import { isObject } from './json.ts';
import type { SignatureAgentKey } from './lists.ts';

/** After decoding; today's largest has 2 KiB. */
export const MAX_KEY_DIRECTORY_BYTES = 64 * 1024;
const MAX_KEYS = 20;

/** The drafts' published test keys: anyone can sign with them. */
export const PUBLISHED_TEST_KEYS: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
]);

export type KeyDirectory =
  | {
      /** May be empty: then every key that was published is expired or refused, and none may be trusted any longer. */
      readonly keys: SignatureAgentKey[];
      /** Entries that were no usable key. */
      readonly skipped: number;
    }
  | { readonly error: 'unparsable' | 'no_keys' | 'too_many_keys' };

/**
 * @param now epoch milliseconds; `exp` and `nbf` are applied here and not kept, because operators roll them forward under one kid
 * @param refused thumbprints of keys that are never taken
 */
export async function parseKeyDirectory(
  text: string,
  now: number,
  refused: ReadonlySet<string> = PUBLISHED_TEST_KEYS,
): Promise<KeyDirectory> {
  const entries = directoryEntries(text);
  if (entries === null) return { error: 'unparsable' };
  if (entries.length > MAX_KEYS) return { error: 'too_many_keys' };
  const known = entries.filter(isEd25519);
  if (known.length === 0) return { error: 'no_keys' };
  const keys: SignatureAgentKey[] = [];
  for (const { x, kid, exp, nbf } of known) {
    const thumbprint = await keyThumbprint(x);
    if (refused.has(thumbprint)) continue;
    if (typeof exp === 'number' && milliseconds(exp) <= now) continue;
    if (typeof nbf === 'number' && milliseconds(nbf) > now) continue;
    keys.push({ kty: 'OKP', crv: 'Ed25519', x, kid: checkedKid(kid, thumbprint) });
  }
  return { keys, skipped: entries.length - keys.length };
}

export type AgentCard =
  /** The text of the key set that the card holds itself. */
  | { readonly jwks: string }
  /** Where its key set is; https. */
  | { readonly jwksUri: string }
  | { readonly error: 'unparsable' | 'another_client' | 'no_keys' };

/**
 * Reads a signature agent's card (a Client ID Metadata Document, draft-meunier-webbotauth-registry). A card that names another address than
 * the one it was read at, or two places of keys, says nothing.
 * @param url where the card was read
 */
export function parseAgentCard(text: string, url: string): AgentCard {
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    return { error: 'unparsable' };
  }
  if (!isObject(card)) return { error: 'unparsable' };
  if (card['client_id'] !== url) return { error: 'another_client' };
  const { jwks, jwks_uri: uri } = card;
  if ((jwks === undefined) === (uri === undefined)) return { error: 'no_keys' };
  if (jwks !== undefined) return isObject(jwks) ? { jwks: JSON.stringify(jwks) } : { error: 'no_keys' };
  return typeof uri === 'string' && URL.parse(uri)?.protocol === 'https:'
    ? { jwksUri: uri }
    : { error: 'no_keys' };
}

function directoryEntries(text: string): unknown[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  if (Array.isArray(value['keys'])) return value['keys'];
  return value['kty'] === undefined ? null : [value];
}

interface Ed25519Jwk {
  readonly x: string;
  readonly kid?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** 32 bytes in base64url: the last character carries four bits and must leave the other two empty, or one key had several spellings. */
const PUBLIC_KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function isEd25519(entry: unknown): entry is Ed25519Jwk {
  if (!isObject(entry) || entry['kty'] !== 'OKP' || entry['crv'] !== 'Ed25519') return false;
  return typeof entry['x'] === 'string' && PUBLIC_KEY.test(entry['x']);
}

/**
 * The kid that signatures name: the vendor's own short name where it gives one, else the thumbprint. A kid in the form of a thumbprint
 * that is not this key's own would let one key answer for another: the computed one stands instead.
 */
function checkedKid(kid: unknown, thumbprint: string): string {
  if (typeof kid !== 'string' || kid === '' || kid.length > 256) return thumbprint;
  return /^[A-Za-z0-9_-]{43}$/.test(kid) ? thumbprint : kid;
}

/** Seconds by the standard; some write milliseconds. */
const milliseconds = (time: number): number => (time > 1e11 ? time : time * 1000);

/**
 * RFC 7638 of an Ed25519 key. `jwkThumbprint` says the same of any key, but the edge's bundle has no room for its canonical form of
 * any value.
 * @param x the public key as its JWK has it
 */
export async function keyThumbprint(x: string): Promise<string> {
  const members = new TextEncoder().encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`);
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', members)));
}
