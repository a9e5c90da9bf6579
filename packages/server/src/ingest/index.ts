/** Ingest: from a request at a log source's endpoint to rows in the spool. */
export { createIngest, type Ingest } from './ingest.ts';
export type {
  BatchClaims,
  Claim,
  HitSpool,
  IngestDeps,
  IngestKey,
  IngestKeys,
  IngestLimits,
  KeyPlaces,
  KeyVerdict,
  Lists,
  Properties,
  RawHandler,
  SetupSignals,
  Signal,
  SignalKind,
} from './ports.ts';
export { serveUploads } from './workers/serve.ts';
