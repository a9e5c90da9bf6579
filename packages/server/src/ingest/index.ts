/** Ingest: from a request at one of the two edge endpoints to rows in the spool. */
export { createIngest, type Ingest } from './ingest.ts';
export {
  type BatchClaims,
  type Claim,
  DEFAULT_LIMITS,
  type HitSpool,
  type IngestDeps,
  type IngestKey,
  type IngestKeys,
  type IngestLimits,
  type KeyPlaces,
  type KeyVerdict,
  type Lists,
  type Properties,
  type RawHandler,
  type SetupSignals,
  type Signal,
  type SignalKind,
} from './ports.ts';
export { DROP_REASONS, type DropReason, REJECT_REASONS, type RejectReason } from './reasons.ts';
