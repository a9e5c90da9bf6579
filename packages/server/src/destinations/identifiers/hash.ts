/** SHA-256 as ad platforms want it: lower-case hex of the UTF-8 text, never of nothing, never twice. */
import { createHash } from 'node:crypto';

export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const DIGEST = /^[0-9a-f]{64}$/i;

/** Whether the sender has hashed it already. */
export const isHashed = (text: string): boolean => DIGEST.test(text.trim());

/**
 * @param normalised by the platform's rules; null or empty is left out, since the digest of nothing would match everyone without a value
 * @returns the digest; of what is one already itself, in lower case
 */
export function hashed(normalised: string | null): string | null {
  const text = normalised?.trim() ?? '';
  if (text === '') return null;
  return isHashed(text) ? text.toLowerCase() : sha256Hex(text);
}

/** @returns SHA-256 of the id in lower case without white space, or null where there is none */
export function externalId(visitorId: string | null): string | null {
  return hashed(visitorId?.toLowerCase().replace(/\s/gu, '') ?? null);
}
