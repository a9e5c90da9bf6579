/** Makes an endpoint of every source: what its elements are is the source's, how its body is taken its transport's. */

import { createByteBudget } from '../common/index.ts';
import { type LogSource, pathOf, SOURCES } from '../sources/index.ts';
import { ReadAhead } from './body/read-ahead.ts';
import { createCheckAccounts } from './check-budget.ts';
import {
  DEFAULT_LIMITS,
  type IngestDeps,
  type IngestLimits,
  type IngestParts,
  type RawHandler,
} from './ports.ts';
import { createSignatureChecks } from './signatures.ts';
import { createArrayEndpoint } from './transports/array.ts';
import { createLinesEndpoint } from './transports/lines.ts';
import { UploadSlots } from './upload/slots.ts';
import { createWellKnown } from './well-known.ts';
import { createArrayTurns } from './workers/array-turns.ts';
import { createJobs, type RunJob } from './workers/jobs.ts';
import { createWorkers } from './workers/pool.ts';

export interface Ingest {
  /** Path → its endpoint, one for each source. */
  readonly endpoints: ReadonlyMap<string, RawHandler>;
  /** Ends the threads that read uploads. What they read is answered 503. */
  close(): Promise<void>;
}

export function createIngest<P>(given: IngestDeps<P>): Ingest {
  const { lists, clock, log, threads } = given;
  const checks = createCheckAccounts(clock);
  const workers = createWorkers({ ...threads, lists, log });
  const deps = { ...given, signatures: createSignatureChecks(lists.directories, checks) };
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const endpointOf = endpoints(deps, limits, createJobs({ directories: lists.directories, checks, workers }));
  return {
    endpoints: new Map([
      ...SOURCES.map((source) => [pathOf(source.about.name), endpointOf(source)] as const),
      ...SOURCES.flatMap((source) => wellKnownOf(source, deps)),
    ]),
    close: workers.close,
  };
}

function wellKnownOf<P>(source: LogSource, deps: IngestDeps<P>): [string, RawHandler][] {
  if (source.transport !== 'lines' || source.wellKnown === undefined) return [];
  return [[source.wellKnown.path, createWellKnown(source.wellKnown, deps)]];
}

/** Bounds hold for the sources of a transport together. */
function endpoints<P>(
  deps: IngestParts<P>,
  limits: IngestLimits,
  run: RunJob,
): (source: LogSource) => RawHandler {
  const arrays = {
    inFlight: { bytes: 0 },
    slots: new UploadSlots({
      perKey: limits.largeArraysPerKey,
      perOrganization: limits.largeArraysPerKey,
      total: limits.largeArraysTotal,
    }),
    turns: createArrayTurns(limits),
    run,
  };
  const slots = new UploadSlots({
    perKey: limits.uploadsPerKey,
    perOrganization: limits.uploadsPerOrganization,
    total: limits.uploadsTotal,
  });
  const signedBytes = createByteBudget(limits.signedBytesHeld);
  const uploads = { slots, ahead: new ReadAhead(), run, signedBytes };
  return (source) =>
    source.transport === 'array'
      ? createArrayEndpoint(source, deps, limits, arrays)
      : createLinesEndpoint(source, deps, limits, uploads);
}
