/** Holds one signature against a request and a key. */
import { isSignatureError, SignatureErrorCode, verifySignature } from 'http-message-sig';
import {
  type Candidate,
  type ProfileRules,
  type Refusal,
  type SignedRequest,
  TAG,
} from './signed-request.ts';

/**
 * @param now epoch milliseconds
 * @returns null when the signature holds
 */
export async function refute(
  { method, url, headers }: SignedRequest,
  { label, fields }: Candidate,
  key: CryptoKey,
  now: number,
  { clockSkew }: ProfileRules,
): Promise<Refusal | null> {
  // Only what is signed: the library refuses a message with any field that is not ASCII, and visitors' cities have umlauts.
  const names = new Set([...fields, 'signature', 'signature-input']);
  const message = {
    kind: 'request' as const,
    method,
    targetUri: url,
    fields: [...names].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [{ name, value }];
    }),
  };
  try {
    await verifySignature(message, {
      label,
      policy: {
        algorithms: ['ed25519'],
        // The profile has checked both already; here they are held against what was really signed.
        requiredComponents: [],
        requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        now: Math.floor(now / 1000),
        clockSkew,
        validate: ({ parameters }) => parameters.tag === TAG,
      },
      resolveVerifier: () => ({
        algorithm: 'ed25519',
        verify: (data, signature) =>
          crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(data)),
      }),
    });
    return null;
  } catch (error) {
    const code = isSignatureError(error) ? error.code : SignatureErrorCode.ResolverFailed;
    return { outcome: UNDECIDED.has(code) ? 'unverified' : 'invalid', reason: code };
  }
}

/** The library can't say, or failed: neither is the signer's fault. */
const UNDECIDED: ReadonlySet<string> = new Set([
  SignatureErrorCode.UnsupportedFeature,
  SignatureErrorCode.ResolverFailed,
]);
