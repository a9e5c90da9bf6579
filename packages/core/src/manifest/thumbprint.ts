/** RFC 7638: the name of a public key, computed from the key itself. */
import { encodeBase64url } from '../base64url.ts';
import { canonicalize } from './canonical.ts';

/** The members that make a key of each type (RFC 7638 §3.2, RFC 8037 §2). */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ['OKP', ['crv', 'kty', 'x']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['RSA', ['e', 'kty', 'n']],
]);

/**
 * @param jwk a public or private key; only its public members count
 * @returns base64url of SHA-256
 * @throws TypeError for a key of another type or without its members
 */
export async function jwkThumbprint(jwk: object): Promise<string> {
  const members = new Map<string, unknown>(Object.entries(jwk));
  const names = REQUIRED.get(String(members.get('kty')));
  if (names === undefined) throw new TypeError('kty must be OKP, EC or RSA');
  const required = names.map((name) => {
    const value = members.get(name);
    if (typeof value !== 'string') throw new TypeError(`the key has no ${name}`);
    return [name, value];
  });
  const text = new TextEncoder().encode(canonicalize(Object.fromEntries(required)));
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}
