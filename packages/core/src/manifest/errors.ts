/** Why a manifest was refused. One table for verifier, command line and documentation. */

/** Code → what it means to who runs the agent. */
export const MANIFEST_ERRORS = {
  too_large: 'The document has more than 256 KiB.',
  not_json: 'The document is not JSON in UTF-8.',
  too_deep: 'The document is nested more deeply than any manifest.',
  duplicate_member: 'A member appears twice: two readers may see two different manifests.',
  non_ascii_member: 'A member name is not ASCII, so its canonical order differs between languages.',
  lone_surrogate: 'A string holds half of a surrogate pair, which UTF-8 cannot write.',
  unsafe_number: 'A number is not an integer that every language holds exactly.',
  unsupported_version: 'The manifest is of a version that this verifier does not know.',
  missing_signature: 'The manifest is not signed.',
  malformed_signature: 'The signature is not a detached compact JWS.',
  algorithm_not_allowed:
    'Only EdDSA (Ed25519) is accepted: an algorithm of the sender’s choice could be "none".',
  wrong_type: 'The signature was made for something other than a manifest.',
  critical_header: 'The signature demands an extension that this verifier does not know.',
  embedded_key: 'The signature brings its own key: a verifier that trusts one would accept any forgery.',
  invalid_shape: 'The manifest breaks a rule of its format.',
  untrusted_issuer: 'The issuer is not among those trusted; anyone can sign as some issuer.',
  keys_unavailable: 'The issuer’s keys could not be read.',
  unknown_key: 'The issuer no longer publishes this key: it was rotated away, or never was the issuer’s.',
  unsupported_runtime: 'This runtime has no WebCrypto with Ed25519.',
  bad_signature: 'The signature does not match: something was changed after signing.',
  wrong_host: 'The manifest is for other hosts.',
  not_yet_valid: 'The manifest was issued in the future.',
  expired: 'The manifest has expired.',
} as const satisfies Readonly<Record<string, string>>;

export type ManifestError = keyof typeof MANIFEST_ERRORS;
