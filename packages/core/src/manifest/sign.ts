/** Signs manifests, and makes the keys for it. */
import { encodeBase64url } from '../base64url.ts';
import type { Problem } from '../problems.ts';
import { canonicalize } from './canonical.ts';
import { issuerOrigin } from './issuers.ts';
import { signingInput } from './jws.ts';
import { MANIFEST_TYPE, type ManifestBody, type PublicJwk } from './manifest.ts';
import { checkManifestBody } from './shape.ts';
import { jwkThumbprint } from './thumbprint.ts';

/** Every verifier would refuse this body, so it is not signed. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ pointer, message }) => `${pointer || 'the manifest'}: ${message}`).join(' '));
    this.problems = problems;
  }
}

export interface SigningKey {
  readonly privateKey: CryptoKey;
  /** RFC 7638 thumbprint of its public half. */
  readonly kid: string;
  /** Where verifiers find the public half: https, or http on loopback. */
  readonly jku: string;
}

/** So that the signature member stays within `MANIFEST_LIMITS.signatureBytes`. */
const MAX_JKU = 400;
const MAX_KID = 64;

/**
 * @returns the whole document in canonical form, with its `signature`
 * @throws InvalidManifest for a body with problems, TypeError for a key reference that no verifier accepts
 */
export async function signManifest(body: ManifestBody, key: SigningKey): Promise<string> {
  const { privateKey, kid, jku } = key;
  const problems = checkManifestBody(body);
  if (problems.length > 0) throw new InvalidManifest(problems);
  if (issuerOrigin(jku) === null || jku.length > MAX_JKU)
    throw new TypeError('jku must be an https URL of at most 400 characters.');
  if (kid === '' || kid.length > MAX_KID) throw new TypeError('kid must be the key’s RFC 7638 thumbprint.');
  const header = canonicalize({ alg: 'EdDSA', typ: MANIFEST_TYPE, kid, jku });
  const encodedHeader = encodeBase64url(new TextEncoder().encode(header));
  const input = signingInput(encodedHeader, canonicalize(body));
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, input));
  return canonicalize({ ...body, signature: `${encodedHeader}..${encodeBase64url(signature)}` });
}

/** Private half of a signing key. A secret: encrypt it at rest, never log it. */
export interface PrivateJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
}

/** A new key pair; `publicJwk` is fit for a JWKS. */
export async function generateSigningKey(): Promise<{
  privateJwk: PrivateJwk;
  publicJwk: PublicJwk;
  kid: string;
}> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 makes key pairs.');
  const { x, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  if (x === undefined || d === undefined) throw new TypeError('The exported key lacks its members.');
  const kid = await jwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return {
    privateJwk: { kty: 'OKP', crv: 'Ed25519', x, d },
    publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
    kid,
  };
}

/** For `signManifest`; not extractable, so that no later mistake can print it. */
export function importSigningKey(privateJwk: PrivateJwk): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', { ...privateJwk }, 'Ed25519', false, ['sign']);
}
