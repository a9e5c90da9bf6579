/** Makes an endpoint of every source: what its elements are is the source's, how its body is taken its transport's. */

import { createByteBudget } from '../common/index.ts';
import { type LogSource, pathOf, SOURCES } from '../sources/index.ts';
import { ReadAhead } from './body/read-ahead.ts';
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
import { Turns } from './upload/turns.ts';
import { createWellKnown } from './well-known.ts';

/** How long an upload may keep the thread before what else waits has its turn; longer slices make posts wait, shorter ones cost uploads turns. */
const SLICE_MS = 2;
/** Beside other requests uploads have a quarter of the thread. */
const REST_FACTOR = 3;

export interface Ingest {
  /** Path → its endpoint, one for each source. */
  readonly endpoints: ReadonlyMap<string, RawHandler>;
  /** Called for every request to the service, so that uploads make way for it. */
  readonly makeWay: () => void;
}

export function createIngest<P>(given: IngestDeps<P>): Ingest {
  const deps = { ...given, signatures: createSignatureChecks(given.lists.directories, given.clock) };
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const turns = deps.turns ?? new Turns({ sliceMs: SLICE_MS, restFactor: REST_FACTOR });
  const endpointOf = endpoints(deps, limits, turns);
  return {
    endpoints: new Map([
      ...SOURCES.map((source) => [pathOf(source.about.name), endpointOf(source)] as const),
      ...SOURCES.flatMap((source) => wellKnownOf(source, deps)),
    ]),
    makeWay: () => turns.makeWay(),
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
  turns: Turns,
): (source: LogSource) => RawHandler {
  const inFlight = { bytes: 0 };
  const slots = new UploadSlots({
    perKey: limits.uploadsPerKey,
    perOrganization: limits.uploadsPerOrganization,
    total: limits.uploadsTotal,
  });
  const signedBytes = createByteBudget(limits.signedBytesHeld);
  const uploads = { slots, ahead: new ReadAhead(), turns, signedBytes };
  return (source) =>
    source.transport === 'array'
      ? createArrayEndpoint(source, deps, limits, inFlight)
      : createLinesEndpoint(source, deps, limits, uploads);
}
