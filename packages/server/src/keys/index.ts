/** Keys: issued once, stored as a digest, verified without waiting. */

export { generateKey, hasKeyForm, type KeyPrefix, keyDigest, type NewKey, shownPrefix } from './format.ts';
export {
  createIngestKeys,
  type IngestKeys,
  type IngestKeyView,
  type NewIngestKey,
} from './ingest-keys.ts';
export { createLastUsed, type LastUsed, type SenderAddress } from './last-used.ts';
export {
  KEY_CAUSES,
  type KeyCause,
  type KeyPlaces,
  type PresentedKey,
  presentedKey,
  queryKey,
} from './presented.ts';
export {
  createKeyVerifier,
  type KeyRecord,
  type KeyVerdict,
  type KeyVerifier,
  type VerifiedKey,
} from './verifier.ts';
