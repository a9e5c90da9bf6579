/**
 * Web Bot Auth as the edge and the service read it. An entry of its own, and no part of the published package: it needs the parsers of
 * structured fields and of RFC 9421.
 */
export {
  type Candidate,
  namesListedAgent,
  type ProfileRules,
  type Refusal,
  readSignatures,
  type SignedRequest,
  TAG,
} from './profile.ts';
export { type CheckedBase, type Holding, holds } from './signature-holds.ts';
