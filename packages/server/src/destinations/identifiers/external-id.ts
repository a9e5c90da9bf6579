/** Our visitor id as the platforms' external id: hashed, so that the platform can't look anything up by it here. */
import { hashed } from './hash.ts';

/** @returns SHA-256 of the id in lower case without white space, or null where there is none */
export function externalId(visitorId: string | null): string | null {
  return hashed(visitorId?.toLowerCase().replace(/\s/gu, '') ?? null);
}
