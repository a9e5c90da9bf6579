/** A body that is an array of objects: admit → collect → read (inflate, decode, pipeline), here or in a worker → spool → answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { annotate, ServiceError } from '../../common/index.ts';
import type { ArraySource, SourceRequest } from '../../sources/index.ts';
import { type CheckAgain, createAdmission } from '../admission.ts';
import * as answer from '../answer.ts';
import { collectBody, inflatedIfSmall, SenderGone, tooLarge } from '../body/body.ts';
import { announcedEncoding, type Encoding } from '../body/encodings.ts';
import { arrived } from '../body/pieces.ts';
import { Counters } from '../counters.ts';
import { contextOf, factsOf, ownersOf } from '../owners.ts';
import type { IngestContext } from '../pipeline.ts';
import type { IngestKey, IngestLimits, IngestParts, RawHandler } from '../ports.ts';
import { noteOutcome } from '../signals.ts';
import { sourceRequest } from '../source-request.ts';
import type { UploadSlots } from '../upload/slots.ts';
import { watchUpload } from '../upload/watch.ts';
import type { ArrayTurns } from '../workers/array-turns.ts';
import type { RunJob } from '../workers/jobs.ts';
import { type ArrayRead, ArrayReading } from './array-reading.ts';

/** What the bodies of all such sources share. */
export interface SharedArrays {
  /** What they hold together. */
  readonly inFlight: { bytes: number };
  /** Of those that a worker reads. */
  readonly slots: UploadSlots;
  /** When a worker reads one. */
  readonly turns: ArrayTurns;
  readonly run: RunJob;
}

type Owners = IngestContext['owners'];

export function createArrayEndpoint<P>(
  source: ArraySource,
  deps: IngestParts<P>,
  limits: IngestLimits,
  { inFlight, slots, turns, run }: SharedArrays,
): RawHandler {
  const endpoint = source.about.name;
  const admit = createAdmission(deps, source);

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    key: IngestKey,
    of: SourceRequest,
    again: CheckAgain,
  ): Promise<void> {
    let held = 0;
    const meter = (bytes: number): void => {
      held += bytes;
      inFlight.bytes += bytes;
    };
    try {
      const encoding = announcedEncoding(request);
      const body = await collectBody(
        request,
        { bytes: limits.workerBodyBytes, idleMs: limits.bodyIdleMs, totalMs: limits.bodyTotalMs },
        meter,
      );
      await again();
      const now = deps.clock();
      const plain = inflatedIfSmall(body, encoding, limits.smallArrayBytes);
      const [read, owners] =
        plain === null
          ? await readByWorker(response, key, body, encoding, now)
          : await readHere(plain, key, now);
      await take(response, key, of, read, owners, now);
    } finally {
      inFlight.bytes -= held;
    }
  }

  async function readHere(plain: Buffer, key: IngestKey, now: number): Promise<[ArrayRead, Owners]> {
    const reading = new ArrayReading(source, plain.toString(), key, now);
    const context = await contextOf(deps, key, reading.decode(), now);
    reading.classify(context);
    return [reading.result(), context.owners];
  }

  /** @throws ServiceError `unavailable` while as many wait as may */
  async function readByWorker(
    response: ServerResponse,
    key: IngestKey,
    body: Buffer,
    encoding: Encoding,
    receivedAt: number,
  ): Promise<[ArrayRead, Owners]> {
    const release = slots.take(key.id, key.organizationId);
    if (release === null) throw answer.tooManyWait();
    const watch = watchUpload(response, limits.uploadAnswerMs);
    const job = {
      ...{ transport: 'array' as const, source: endpoint, key, encoding, receivedAt },
      most: limits.workerBodyBytes,
    };
    const read = async (): Promise<[ArrayRead, Owners]> => {
      const owners = new Map<string, string | null>();
      const done = await run(job, {
        // A copy, since it is handed over, and may be needed again.
        head: Buffer.from(body),
        body: arrived(null),
        signal: watch.signal,
        stage: async () => undefined,
        async propertiesOf(ids) {
          const found = await ownersOf(deps.properties, ids);
          for (const [id, owner] of found) owners.set(id, owner);
          return factsOf(deps.properties, found, key.organizationId);
        },
      });
      return [done, owners];
    };
    try {
      return await turns.run(key.organizationId, watch.signal, read);
    } finally {
      watch.end();
      release();
    }
  }

  async function take(
    response: ServerResponse,
    key: IngestKey,
    of: SourceRequest,
    { tally, rows }: ArrayRead,
    owners: Owners,
    at: number,
  ): Promise<void> {
    const counters = new Counters({ endpoint, organizationId: key.organizationId, at }, tally);
    if (counters.received === 0) return answer.noContent(response);
    annotate(() => counters.attributes());
    const receipt = await deps.spool.append({ ...counters.entry(), rows });
    noteOutcome(deps.signals, endpoint, key, onlyOwn(owners, key), counters);
    answer.settled(response, source.answer(counters.settled(receipt, counters.received), of));
  }

  return (request, response, query) =>
    admit(request, response, query, (key, again) => {
      if (Number(request.headers['content-length'] ?? 0) > limits.workerBodyBytes) {
        return answer.problem(request, response, tooLarge(limits.workerBodyBytes));
      }
      if (inFlight.bytes > limits.workerBytesInFlight) return answer.unavailable(request, response);
      handle(request, response, key, sourceRequest(request, query, deps.clock(), key.settings), again).catch(
        (error: unknown) => {
          if (error instanceof SenderGone) return;
          if (error instanceof ServiceError) return answer.problem(request, response, error);
          deps.log.error(
            { err: error, endpoint, key: key.prefix, ...answer.about(response) },
            'hits could not be stored',
          );
          answer.unavailable(request, response);
        },
      );
    });
}

/** The property that the whole request is about, when it is one. */
function onlyOwn(owners: ReadonlyMap<string, string | null>, key: IngestKey): string | null {
  let only: string | null = null;
  for (const [id, owner] of owners) {
    if (owner !== key.organizationId) continue;
    if (only !== null) return null;
    only = id;
  }
  return only;
}
