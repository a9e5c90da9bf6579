/** Under which name this installation signs: the origin of APP_BASE_URL, which agents must be able to trust. */
import { issuerOrigin } from '@ghostlight/core';
import { ServiceError } from '../common/index.ts';

export interface Issuer {
  /** `https://app.example`. */
  readonly origin: string;
  /** Why no agent would accept it, and what to set; null: nothing. */
  readonly problem: string | null;
  manifestUrl(attributionId: string): string;
  /** What a signature names as `jku`. */
  jwksUrl(attributionId: string): string;
}

/** A signature holds the address of its keys: far longer ones would not fit its bound. */
const MAX_BASE = 300;

/** @param appBaseUrl without a trailing slash */
export function issuerOf(appBaseUrl: string): Issuer {
  const { origin } = new URL(appBaseUrl);
  const problem =
    issuerOrigin(appBaseUrl) === null
      ? `Agents accept manifests of an https issuer only, and this one would be ${origin}. Set APP_BASE_URL to the https address of this service, then start it again.`
      : appBaseUrl.length > MAX_BASE
        ? `APP_BASE_URL has more than ${MAX_BASE} characters; agents look keys up below it. Give the service a shorter address.`
        : null;
  const of = (attributionId: string) => `${appBaseUrl}/api/v1/webmcp/${attributionId}`;
  return {
    origin,
    problem,
    manifestUrl: (attributionId) => `${of(attributionId)}/manifest`,
    jwksUrl: (attributionId) => `${of(attributionId)}/jwks.json`,
  };
}

/** @throws ServiceError `invalid` with what to set */
export function assertIssuer({ problem }: Issuer): void {
  if (problem !== null) throw new ServiceError('invalid', problem);
}
