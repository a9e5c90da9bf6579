/** Puts the two endpoints together. */

import { createEdgeWorkerEndpoint } from './edge-worker-endpoint.ts';
import { createEdgeLogpushEndpoint } from './logpush-endpoint.ts';
import { DEFAULT_LIMITS, type IngestDeps, type RawHandler } from './ports.ts';
import { Turns } from './turns.ts';

/** How long an upload may keep the thread before what else waits has its turn; longer slices make posts wait, shorter ones cost uploads turns. */
const SLICE_MS = 2;
/** Beside other requests uploads have a quarter of the thread. */
const REST_FACTOR = 3;

export interface Ingest {
  readonly edgeWorker: RawHandler;
  readonly edgeLogpush: RawHandler;
  /** Told of every request to the service, so that uploads make way for it. */
  readonly makeWay: () => void;
}

export function createIngest<P>(deps: IngestDeps<P>): Ingest {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const turns = deps.turns ?? new Turns({ sliceMs: SLICE_MS, restFactor: REST_FACTOR });
  return {
    edgeWorker: createEdgeWorkerEndpoint(deps, limits),
    edgeLogpush: createEdgeLogpushEndpoint(deps, limits, turns),
    makeWay: () => turns.makeWay(),
  };
}
