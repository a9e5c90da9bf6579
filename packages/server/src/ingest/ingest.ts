/** Puts the two endpoints together. */

import { createEdgeWorkerEndpoint } from './edge-worker-endpoint.ts';
import { createEdgeLogpushEndpoint } from './logpush-endpoint.ts';
import { DEFAULT_LIMITS, type IngestDeps, type RawHandler } from './ports.ts';
import { Turns } from './turns.ts';

/** Measured: at 10 ms a post of another sender takes three times as long, at 1 ms an upload takes a tenth longer. */
const SLICE_MS = 2;

export interface Ingest {
  readonly edgeWorker: RawHandler;
  readonly edgeLogpush: RawHandler;
}

export function createIngest<P>(deps: IngestDeps<P>): Ingest {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  return {
    edgeWorker: createEdgeWorkerEndpoint(deps, limits),
    edgeLogpush: createEdgeLogpushEndpoint(deps, limits, deps.turns ?? new Turns({ sliceMs: SLICE_MS })),
  };
}
