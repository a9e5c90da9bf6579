/** Why a sign-in at the provider did not end in a session: a word for the sign-in page, which has the sentence. */

export const SIGN_IN_FAILURES = [
  /** Begun in another browser, too long ago, or used already. */
  'expired',
  /** The person, or the provider, said no. */
  'refused',
  /** The provider does not answer, or not as discovery promises. */
  'unreachable',
  /** Its answer does not hold: signature, issuer, audience, nonce, time. */
  'invalid',
  'rate_limited',
  'no_email',
  'unverified_email',
  'wrong_domain',
  /** There is an account with this address, which the provider may not open. */
  'not_linked',
  'other_identity',
  'second_factor',
  /** More groups than the provider puts into a token. */
  'too_many_groups',
  /** Known, and a member of nothing. */
  'no_access',
  /** Something is wrong here. */
  'failed',
] as const;
export type SignInFailure = (typeof SIGN_IN_FAILURES)[number];

export class OidcError extends Error {
  readonly failure: SignInFailure;
  /** For the log: a code of the library or the provider, nothing of a token. */
  readonly reason: string;
  constructor(failure: SignInFailure, reason = '') {
    super(`The sign-in at the provider failed: ${failure}`);
    this.name = 'OidcError';
    this.failure = failure;
    this.reason = reason;
  }
}
