/**
 * A stream of lines: admit → read (inflate, frame, cut, screen, decode, pipeline), here or in a worker, while rows are staged → claim the digest →
 * commit → answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { annotate, type ByteBudget, ServiceError } from '../../common/index.ts';
import type { LinesSource, SourceAnswer } from '../../sources/index.ts';
import type { SpoolRow, SpoolUpload } from '../../spool/index.ts';
import { type CheckAgain, createAdmission, voices } from '../admission.ts';
import type { Voice } from '../answer.ts';
import * as answer from '../answer.ts';
import { inflatedIfSmall, SenderGone, wholeOf } from '../body/body.ts';
import { announcedEncoding, type Encoding, HEAD_BYTES } from '../body/encodings.ts';
import { arrived, arriving, type Pieces } from '../body/pieces.ts';
import type { ReadAhead } from '../body/read-ahead.ts';
import { Counters } from '../counters.ts';
import { contextOf, factsOf } from '../owners.ts';
import type { IngestKey, IngestLimits, IngestParts, RawHandler } from '../ports.ts';
import { noteOutcome } from '../signals.ts';
import { createSignedBodies } from '../signed-body.ts';
import { type RequestFacts, requestOf } from '../source-request.ts';
import { type UploadRead, UploadReading } from '../upload/reading.ts';
import { settleUpload } from '../upload/settle.ts';
import type { UploadSlots } from '../upload/slots.ts';
import { type UploadWatch, watchUpload } from '../upload/watch.ts';
import type { HandedOver } from '../workers/hand-over.ts';
import type { RunJob } from '../workers/jobs.ts';
import type { UploadContext } from './line-reader.ts';

const NO_CONTENT: SourceAnswer = { status: 204 };

/** What the uploads of all such sources share. */
export interface SharedUploads {
  readonly slots: UploadSlots;
  readonly ahead: ReadAhead;
  readonly run: RunJob;
  /** Of bodies that are signed instead of sent with a key. */
  readonly signedBytes: ByteBudget;
}

export function createLinesEndpoint<P>(
  source: LinesSource,
  deps: IngestParts<P>,
  limits: IngestLimits,
  { slots, ahead, run, signedBytes }: SharedUploads,
): RawHandler {
  const endpoint = source.about.name;
  const admit = createAdmission(deps, source, createSignedBodies(deps, source, limits, signedBytes));
  const voiceOf = voices(source, deps.clock);
  const screens = source.screens?.() ?? null;

  async function uploadContext(key: IngestKey, named: string | null): Promise<UploadContext> {
    const id = named ?? key.attributionId;
    const context = await contextOf(deps, key, new Set(id === null ? [] : [id]), deps.clock());
    const isOwn = id !== null && context.owners.get(id) === key.organizationId;
    return { ...context, attributionId: named, ownAttributionId: isOwn ? id : null };
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    key: IngestKey,
    signedBody: Buffer | null,
    facts: RequestFacts,
    watch: UploadWatch,
    again: CheckAgain,
    voice: Voice,
  ): Promise<void> {
    const of = requestOf(facts);
    const encoding = announcedEncoding(request);
    const proof = signedBody === null ? (source.proof?.(of) ?? null) : null;
    const context = await uploadContext(key, source.addressed(of));
    const { ownAttributionId, receivedAt } = context;
    const reading = new UploadReading(source, of, context, screens, limits);
    let opened: SpoolUpload | null = null;
    const upload = async (): Promise<SpoolUpload> => {
      opened ??= await deps.spool.openUpload(endpoint);
      return opened;
    };
    const stage = async (rows: SpoolRow[]): Promise<void> => (await upload()).stage(rows);
    const body =
      signedBody === null
        ? arriving(request, limits, ahead, {
            arrival: watch.refresh,
            piece: (piece) => void proof?.update(piece),
          })
        : arrived(signedBody);
    try {
      const head = await beginningOf(body, limits.smallUploadBytes);
      const plain = head.isWhole ? inflatedIfSmall(head.bytes, encoding, limits.smallUploadBytes) : null;
      const read =
        plain === null
          ? await readByWorker(context, facts, encoding, {
              head: head.bytes,
              body,
              signal: watch.signal,
              stage,
            })
          : await readHere(reading, plain, stage);
      if (proof !== null && !proof.isGood()) throw unproven();
      if (read.isTest) {
        await again();
        return tested(response, context, source.tested?.(of) ?? NO_CONTENT);
      }
      const owner = { endpoint, organizationId: key.organizationId, at: receivedAt };
      const counters = new Counters(owner, read.tally);
      annotate(() => counters.attributes());
      await again();
      // From here on it takes effect, whether or not its sender still waits.
      watch.end();
      const batch = {
        about: { endpoint, ...answer.about(response) },
        scope: key.id,
        digest: read.digest,
      };
      const settled = await settleUpload(deps, await upload(), counters, batch, limits.claimMs);
      if (settled === 'busy') return answer.unavailable(request, response, voice);
      const receipt = settled === 'already_taken' ? null : settled;
      if (receipt !== null) noteOutcome(deps.signals, endpoint, key, ownAttributionId, counters);
      answer.settled(response, source.answer(counters.settled(receipt, read.objects), of), voice);
    } finally {
      body.close();
      // After its end this does nothing; after anything else no row of the upload may stay behind.
      await (opened as SpoolUpload | null)?.abort();
    }
  }

  function readByWorker(
    { key, owners, attributionId, ownAttributionId, receivedAt }: UploadContext,
    request: RequestFacts,
    encoding: Encoding,
    work: Pick<HandedOver, 'head' | 'body' | 'signal' | 'stage'>,
  ): Promise<UploadRead> {
    const properties = factsOf(deps.properties, owners, key.organizationId);
    const job = {
      ...{ transport: 'lines' as const, source: endpoint, request, key, encoding, receivedAt },
      ...{ attributionId, ownAttributionId, properties, limits },
      head: new Uint8Array(work.head.subarray(0, HEAD_BYTES)),
    };
    return run(job, { ...work, propertiesOf: async () => properties });
  }

  function tested(
    response: ServerResponse,
    { key, ownAttributionId }: UploadContext,
    said: SourceAnswer,
  ): void {
    deps.signals.note({
      kind: 'validation_upload',
      endpoint,
      organizationId: key.organizationId,
      attributionId: ownAttributionId,
      detail: 'The sender tested the destination.',
    });
    answer.settled(response, said);
  }

  return (request, response, query) => {
    admit(request, response, query, (key, again, signedBody) => {
      const voice = voiceOf(request, query);
      const release = slots.take(key.id, key.organizationId);
      if (release === null) return answer.unavailable(request, response, voice);
      request.on('error', () => undefined);
      const watch = watchUpload(response, limits.uploadAnswerMs);
      handle(
        request,
        response,
        key,
        signedBody,
        {
          ...{ headers: request.headers, query, now: deps.clock() },
          ...{ settings: key.settings ?? {}, retentionMs: limits.retentionMs },
        },
        watch,
        again,
        voice,
      )
        .catch((error: unknown) => {
          if (error instanceof SenderGone) return;
          if (error instanceof ServiceError) return answer.problem(request, response, error, voice);
          deps.log.error(
            { err: error, endpoint, key: key.prefix, ...answer.about(response) },
            'an upload could not be stored',
          );
          answer.unavailable(request, response, voice);
        })
        .finally(() => {
          watch.end();
          release();
        });
    });
  };
}

/** Of a small body all; of a larger one as much as shows that it is one. */
async function beginningOf(
  body: Pieces,
  small: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes <= small; ) {
    const piece = await body.next();
    if (piece === null) return { bytes: wholeOf(pieces), isWhole: true };
    pieces.push(piece);
    bytes += piece.length;
  }
  return { bytes: wholeOf(pieces), isWhole: false };
}

async function readHere(
  reading: UploadReading,
  body: Buffer,
  stage: (rows: SpoolRow[]) => Promise<void>,
): Promise<UploadRead> {
  for (const _ of reading.read(body));
  reading.end();
  if (reading.waitingRows > 0) await stage(reading.takeRows());
  return reading.result();
}

/** The holder of the key may be another than the body's signer. */
function unproven(): ServiceError {
  return new ServiceError(
    'forbidden',
    'The signature over the body is missing, or was not made with the secret of this key.',
  );
}
