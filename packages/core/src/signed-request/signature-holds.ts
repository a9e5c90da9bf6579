/** Holds one signature of a logged request against a key, at once: what a log says of a request is checked between two other lines. */
import { component, createSignatureSync, isSignatureError, SignatureErrorCode } from 'http-message-sig';
import { isInnerList, type Parameters, parseDictionary } from 'structured-headers';
import type { Candidate, SignedRequest } from './profile.ts';

/** What of a request is known beside its three headers, and how a signature is verified. */
export interface Holding {
  /** @param name `@path` */
  knows(name: string): boolean;
  /** Ed25519, with the candidate's key. */
  verify(base: Uint8Array, signature: Uint8Array): boolean;
}

/** `undecided`: the signature covers what is not known of the request. */
export type CheckedBase = 'holds' | 'broken' | 'undecided';

/** Bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64;
/** Only the base is wanted, so what signs it gives nothing away. */
const NO_SIGNATURE = new Uint8Array(SIGNATURE_BYTES);
const UNDECIDED: ReadonlySet<string> = new Set([
  SignatureErrorCode.UnsupportedFeature,
  SignatureErrorCode.MissingField,
]);

/**
 * @param request its headers are the three of a signed request: a signature over any other is undecided
 */
export function holds(
  { method, url, headers }: SignedRequest,
  { label, fields }: Candidate,
  { knows, verify }: Holding,
): CheckedBase {
  try {
    const input = parseDictionary(headers.get('signature-input') ?? '').get(label);
    const signature = parseDictionary(headers.get('signature') ?? '').get(label);
    if (input === undefined || !isInnerList(input)) return 'broken';
    if (signature === undefined || isInnerList(signature)) return 'broken';
    if (input[0].some(([name]) => String(name).startsWith('@') && !knows(String(name)))) return 'undecided';
    const [bytes] = signature;
    if (!(bytes instanceof ArrayBuffer) || bytes.byteLength !== SIGNATURE_BYTES) return 'broken';
    let base: Uint8Array = NO_SIGNATURE;
    createSignatureSync(
      {
        kind: 'request',
        method,
        targetUri: url,
        fields: [...new Set(fields)].flatMap((name) => {
          const value = headers.get(name);
          return value === null ? [] : [{ name, value }];
        }),
      },
      {
        label,
        components: input[0].map(([name, parameters]) => component(String(name), membersOf(parameters))),
        parameters: membersOf(input[1]),
        signer: {
          algorithm: 'ed25519',
          sign(made) {
            base = made;
            return NO_SIGNATURE;
          },
        },
      },
    );
    return verify(base, new Uint8Array(bytes)) ? 'holds' : 'broken';
  } catch (error) {
    return isSignatureError(error) && UNDECIDED.has(error.code) ? 'undecided' : 'broken';
  }
}

/** Their order is part of what is signed; names of parameters begin with a letter, so an object keeps it. */
// biome-ignore lint/suspicious/noExplicitAny: the library refuses the values that it does not know
const membersOf = (parameters: Parameters): any => Object.fromEntries(parameters);
