/** RFC 4648 §5 without padding, as JOSE writes bytes. */

/** `String.fromCharCode` takes its characters as arguments, of which the stack holds only so many. */
const CHUNK = 0x8000;

export function encodeBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @returns null for padding, foreign characters and left-over bits: one text for one value, or a signature has many spellings */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return encodeBase64url(bytes) === text ? bytes : null;
}
