/**
 * Verifies a signed manifest. What a true answer means: the issuer (the origin of `jku`) vouches for these tools on this host, now.
 * Who the issuer may be is the caller's decision, never the document's.
 */
import { decodeBase64url } from '../base64url.ts';
import { isJsonObject, type JsonObject, type JsonValue, quote } from '../json.ts';
import { MINUTE_MS } from '../time.ts';
import { canonicalize } from './canonical.ts';
import type { ManifestError } from './errors.ts';
import { issuerOrigin } from './issuers.ts';
import { type DetachedJws, readDetachedJws, signingInput } from './jws.ts';
import { MANIFEST_LIMITS, MANIFEST_TYPE, type ManifestBody } from './manifest.ts';
import { checkManifestBody, isManifestVersion, parseManifestTime } from './shape.ts';
import { parseStrictJson, StrictJsonError } from './strict-json.ts';

export interface VerifyOptions {
  /** The host that the document was fetched from, as `URL.hostname` writes it. */
  readonly host: string;
  /** Issuer origins, of the caller's own list or of `issuersOfTxt`. */
  readonly trust: readonly string[];
  /**
   * GET of a JWKS, parsed. It is called with URLs on trusted origins only; must not follow redirects to others, must not answer from a
   * cache without asking (a rotated key is gone at once), and bounds its own time and size.
   */
  readonly fetchJwks: (url: string) => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly now?: number;
}

export interface VerifiedManifest {
  readonly ok: true;
  readonly manifest: ManifestBody;
  readonly issuer: string;
  readonly kid: string;
}

export interface RefusedManifest {
  readonly ok: false;
  readonly error: ManifestError;
  /** The place or value that was refused; may quote the document, cut and escaped. */
  readonly detail: string;
}

/** Clocks differ: a manifest signed this very moment must not be refused. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** Never throws. Nothing in the document is trusted before its signature is checked, and no URL is fetched that the caller doesn't trust. */
export async function verifyManifest(
  document: string | Uint8Array,
  options: VerifyOptions,
): Promise<VerifiedManifest | RefusedManifest> {
  try {
    const { body, jws } = readDocument(document);
    const { kid, jku } = readHeader(jws.header);
    const manifest = readBody(body);
    const issuer = trustedIssuer(jku, options.trust);
    const x = await findKey(jku, kid, options.fetchJwks);
    await checkSignature(jws, canonicalize(body), x);
    checkHost(manifest, options.host);
    checkTime(manifest, options.now ?? Date.now());
    return { ok: true, manifest, issuer, kid };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.code, detail: error.message };
    // Nothing is left that could throw; a value that can't be verified is not accepted either way.
    return { ok: false, error: 'unsupported_runtime', detail: String(error) };
  }
}

/** Ends a verification; never leaves this file. */
class Refusal extends Error {
  readonly code: ManifestError;

  constructor(code: ManifestError, detail: string) {
    super(detail);
    this.code = code;
  }
}

function readDocument(document: string | Uint8Array): { body: JsonObject; jws: DetachedJws } {
  const value = parse(document);
  if (!isJsonObject(value)) throw new Refusal('invalid_shape', 'the document is not an object');
  const { signature, ...body } = value;
  // Another major version may be signed in another way, so this comes first.
  if (typeof body['version'] === 'string' && !isManifestVersion(body['version']))
    throw new Refusal('unsupported_version', `version ${quote(body['version'])}`);
  if (signature === undefined) throw new Refusal('missing_signature', 'there is no member "signature"');
  const jws = typeof signature === 'string' ? readDetachedJws(signature) : null;
  if (jws === null) throw new Refusal('malformed_signature', 'expected <header>..<signature> in base64url');
  return { body: body as JsonObject, jws };
}

function parse(document: string | Uint8Array): JsonValue {
  try {
    return parseStrictJson(document, { maxBytes: MANIFEST_LIMITS.bytes, maxDepth: MANIFEST_LIMITS.depth });
  } catch (error) {
    if (error instanceof StrictJsonError)
      throw new Refusal(error.fault, error.pointer === '' ? 'at the root' : `at ${quote(error.pointer)}`);
    throw error;
  }
}

/** Members by which a sender could hand over the key itself (RFC 7515 §4.1.3, 4.1.5 to 4.1.8). */
const EMBEDDED_KEYS = ['jwk', 'x5c', 'x5u', 'x5t', 'x5t#S256'] as const;
const ALGORITHMS: ReadonlySet<unknown> = new Set(['EdDSA', 'Ed25519']);

function readHeader(header: JsonObject): { kid: string; jku: string } {
  const { alg, typ, kid, jku } = header;
  if (!ALGORITHMS.has(alg)) throw new Refusal('algorithm_not_allowed', `alg ${quote(String(alg))}`);
  const embedded = EMBEDDED_KEYS.find((name) => Object.hasOwn(header, name));
  if (embedded !== undefined) throw new Refusal('embedded_key', `the header holds ${embedded}`);
  if (Object.hasOwn(header, 'crit')) throw new Refusal('critical_header', 'the header holds crit');
  if (typ !== MANIFEST_TYPE) throw new Refusal('wrong_type', `typ ${quote(String(typ))}`);
  if (typeof kid !== 'string' || kid === '' || typeof jku !== 'string')
    throw new Refusal('malformed_signature', 'the header names no kid and jku');
  return { kid, jku };
}

function readBody(body: JsonObject): ManifestBody {
  const [problem] = checkManifestBody(body);
  if (problem !== undefined)
    throw new Refusal('invalid_shape', `${quote(problem.pointer)}: ${problem.message}`);
  return body as JsonObject & ManifestBody;
}

/** `jku` is the sender's choice: before it is fetched, its origin must be one that the caller named. */
function trustedIssuer(jku: string, trust: readonly string[]): string {
  const issuer = jku.length > MANIFEST_LIMITS.url ? null : issuerOrigin(jku);
  if (issuer === null) throw new Refusal('untrusted_issuer', `${quote(jku)} is not an https URL`);
  if (!trust.some((origin) => issuerOrigin(origin) === issuer)) throw new Refusal('untrusted_issuer', issuer);
  return issuer;
}

/** @returns the public key's 32 bytes, as the JWK's `x` */
async function findKey(
  jku: string,
  kid: string,
  fetchJwks: VerifyOptions['fetchJwks'],
): Promise<Uint8Array<ArrayBuffer>> {
  let jwks: unknown;
  try {
    jwks = await fetchJwks(jku);
  } catch (error) {
    throw new Refusal('keys_unavailable', error instanceof Error ? error.message : String(error));
  }
  const keys: unknown = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Refusal('keys_unavailable', 'the answer is no JWKS');
  if (keys.length > MANIFEST_LIMITS.keys)
    throw new Refusal('keys_unavailable', `the JWKS has more than ${MANIFEST_LIMITS.keys} keys`);
  const key: unknown = keys.find((candidate: unknown) => isJsonObject(candidate) && candidate['kid'] === kid);
  if (!isJsonObject(key)) throw new Refusal('unknown_key', `kid ${quote(kid)}`);
  const { kty, crv, x } = key;
  const bytes = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' ? decodeBase64url(x) : null;
  if (bytes?.length !== 32) throw new Refusal('keys_unavailable', 'the key is no Ed25519 key');
  return bytes;
}

async function checkSignature(jws: DetachedJws, payload: string, x: Uint8Array<ArrayBuffer>): Promise<void> {
  const signature = decodeBase64url(jws.encodedSignature);
  if (signature?.length !== 64)
    throw new Refusal('malformed_signature', 'an Ed25519 signature has 64 bytes in base64url');
  let valid: boolean;
  try {
    const key = await crypto.subtle.importKey('raw', x, 'Ed25519', false, ['verify']);
    valid = await crypto.subtle.verify('Ed25519', key, signature, signingInput(jws.encodedHeader, payload));
  } catch (error) {
    throw new Refusal('unsupported_runtime', String(error));
  }
  if (!valid) throw new Refusal('bad_signature', 'the body or the header was changed');
}

function checkHost({ hosts }: ManifestBody, host: string): void {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (!hosts.includes(name)) throw new Refusal('wrong_host', `${quote(name)} is not in hosts`);
}

function checkTime({ issued_at, expires_at }: ManifestBody, now: number): void {
  // Both are valid times: the shape was checked.
  const issued = parseManifestTime(issued_at) ?? Number.POSITIVE_INFINITY;
  const expires = parseManifestTime(expires_at) ?? 0;
  if (issued > now + CLOCK_SKEW_MS) throw new Refusal('not_yet_valid', `issued at ${issued_at}`);
  if (expires <= now) throw new Refusal('expired', `expired at ${expires_at}`);
}
