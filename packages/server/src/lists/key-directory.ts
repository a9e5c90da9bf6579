/** Reads a signature agent's key directory (draft-ietf-webbotauth-httpsig-protocol): a JWKS, or one bare JWK as some publish it. */
import { createHash } from 'node:crypto';
import type { SignatureAgentKey } from '@ghostlight/core';

export const MAX_DIRECTORY_BYTES = 64 * 1024;
const MAX_KEYS = 20;

/** The drafts' published test keys: anybody can sign with them. */
const TEST_THUMBPRINTS: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
]);

export type KeyDirectory =
  | {
      /** May be empty: then every key that was published is expired or refused, and none must be believed any longer. */
      readonly keys: SignatureAgentKey[];
      /** Entries that were no usable key. */
      readonly skipped: number;
    }
  | { readonly error: 'unparsable' | 'no_keys' | 'too_many_keys' };

/** @param now epoch milliseconds; `exp` and `nbf` are applied here and not kept, because operators roll them forward under one kid */
export function parseKeyDirectory(text: string, now: number): KeyDirectory {
  const entries = directoryEntries(text);
  if (entries === null) return { error: 'unparsable' };
  if (entries.length > MAX_KEYS) return { error: 'too_many_keys' };
  const known = entries.filter(isEd25519);
  if (known.length === 0) return { error: 'no_keys' };
  const keys = known.flatMap((entry) => usableKey(entry, now));
  return { keys, skipped: entries.length - keys.length };
}

function directoryEntries(text: string): unknown[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  if (Array.isArray(value['keys'])) return value['keys'];
  return value['kty'] === undefined ? null : [value];
}

interface Ed25519Jwk extends Record<string, unknown> {
  readonly x: string;
}

function isEd25519(entry: unknown): entry is Ed25519Jwk {
  if (!isRecord(entry) || entry['kty'] !== 'OKP' || entry['crv'] !== 'Ed25519') return false;
  const { x } = entry;
  // Decoded and written again, so that two spellings of one key can't pass for two keys.
  return typeof x === 'string' && x.length === 43 && Buffer.from(x, 'base64url').toString('base64url') === x;
}

function usableKey(entry: Ed25519Jwk, now: number): SignatureAgentKey[] {
  const { x } = entry;
  const thumbprint = keyThumbprint(x);
  if (TEST_THUMBPRINTS.has(thumbprint)) return [];
  const { exp, nbf, kid } = entry;
  if (typeof exp === 'number' && milliseconds(exp) <= now) return [];
  if (typeof nbf === 'number' && milliseconds(nbf) > now) return [];
  return [{ kty: 'OKP', crv: 'Ed25519', x, kid: checkedKid(kid, thumbprint) }];
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
function milliseconds(time: number): number {
  return time > 1e11 ? time : time * 1000;
}

/** RFC 7638 with the members of RFC 8037, SHA-256, base64url. @param x the public key as its JWK has it */
export function keyThumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
