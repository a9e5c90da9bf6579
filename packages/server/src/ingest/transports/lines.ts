/** A stream of lines: admit → stream (inflate, frame, cut, screen, decode, pipeline, stage) → claim the digest → commit → answer. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { annotate, type ByteBudget, ServiceError } from '../../common/index.ts';
import type { LinesSource, Reframing, SourceAnswer, SourceRequest } from '../../sources/index.ts';
import type { SpoolUpload } from '../../spool/index.ts';
import { type CheckAgain, createAdmission, voices } from '../admission.ts';
import type { Voice } from '../answer.ts';
import * as answer from '../answer.ts';
import { SenderGone } from '../body/body.ts';
import { announcedEncoding } from '../body/encodings.ts';
import type { ReadAhead } from '../body/read-ahead.ts';
import { Counters } from '../counters.ts';
import { Others } from '../others.ts';
import { contextOf } from '../owners.ts';
import type { IngestKey, IngestLimits, IngestParts, RawHandler } from '../ports.ts';
import { noteOutcome } from '../signals.ts';
import { createSignedBodies } from '../signed-body.ts';
import { sourceRequest } from '../source-request.ts';
import { settleUpload } from '../upload/settle.ts';
import type { UploadSlots } from '../upload/slots.ts';
import { readUpload } from '../upload/stream.ts';
import type { Turns } from '../upload/turns.ts';
import { type UploadWatch, watchUpload } from '../upload/watch.ts';
import { LineBlocks } from './line-blocks.ts';
import { LineReader, type UploadContext } from './line-reader.ts';

/** Rows are handed to the spool in groups: one message to its thread, not one per row. */
const STAGE_ROWS = 512;
const NO_CONTENT: SourceAnswer = { status: 204 };

/** What the uploads of all such sources share. */
export interface SharedUploads {
  readonly slots: UploadSlots;
  readonly ahead: ReadAhead;
  readonly turns: Turns;
  /** Of bodies that are signed instead of sent with a key. */
  readonly signedBytes: ByteBudget;
}

export function createLinesEndpoint<P>(
  source: LinesSource,
  deps: IngestParts<P>,
  limits: IngestLimits,
  { slots, ahead, turns, signedBytes }: SharedUploads,
): RawHandler {
  const endpoint = source.about.name;
  const admit = createAdmission(deps, source, createSignedBodies(deps, source, limits, signedBytes));
  const voiceOf = voices(source, deps.clock);
  const screens = source.screens?.() ?? null;

  /** How a request's lines are had from its body. */
  function cutting(reader: LineReader, reframing: Reframing | null) {
    const blocks = new LineBlocks(reader, limits.lineBytes);
    const isEnvelope = reframing?.takeRejected !== undefined;
    const hash = isEnvelope ? createHash('sha256') : null;
    return {
      push(chunk: Buffer): void {
        if (reframing === null) {
          blocks.push(chunk);
          return;
        }
        const lines = reframing.push(chunk);
        hash?.update(lines);
        blocks.push(lines);
        reader.passed(reframing.takePassed());
        if (isEnvelope) reader.refused(reframing.takeRejected?.() ?? []);
      },
      end(): void {
        reframing?.end?.();
        if (isEnvelope) reader.refused(reframing.takeRejected?.() ?? []);
        blocks.end();
      },
      /** Hex SHA-256 of an envelope's lines; null: of no envelope. */
      digest: () => hash?.digest('hex') ?? null,
    };
  }

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
    of: SourceRequest,
    watch: UploadWatch,
    again: CheckAgain,
    voice: Voice,
  ): Promise<void> {
    const encoding = announcedEncoding(request);
    const form = source.form(of);
    const proof = signedBody === null ? (source.proof?.(of) ?? null) : null;
    const context = await uploadContext(key, source.addressed(of));
    const { ownAttributionId, lists, receivedAt } = context;
    const counts = source.counts?.(of) ?? null;
    const counters = new Counters({ endpoint, organizationId: key.organizationId, at: receivedAt });
    const searchEngines = ownAttributionId === null ? null : context.searchEnginesOf(ownAttributionId);
    const reader = new LineReader(
      form,
      context,
      counters,
      screens?.(lists, searchEngines) ?? null,
      {
        lineBytes: limits.lineBytes,
        lines: limits.uploadLines,
        rejected: limits.uploadRejected,
      },
      counts === null ? null : new Others(endpoint, counts, context),
    );
    const lines = cutting(reader, form.reframe?.() ?? null);
    const work = turns.begin(key.organizationId, watch.signal, limits.uploadWorkMs);
    const readOn = (isDue: () => boolean): boolean => reader.work(isDue);
    let opened: SpoolUpload | null = null;
    const upload = async (): Promise<SpoolUpload> => {
      opened ??= await deps.spool.openUpload(endpoint);
      return opened;
    };
    const stage = async (): Promise<void> => (await upload()).stage(reader.takeRows());
    try {
      const end = await readUpload(request, {
        encoding,
        limits,
        ahead,
        work,
        signal: watch.signal,
        held: signedBody,
        onArrival: (piece) => {
          watch.refresh();
          proof?.update(piece);
        },
        read: (chunk) => {
          lines.push(chunk);
          return readOn;
        },
        afterChunk: () => (reader.waitingRows >= STAGE_ROWS ? stage() : undefined),
      });
      if (proof !== null && !proof.isGood()) throw unproven();
      if (end.short !== null && source.isTest(end.short)) {
        await again();
        return tested(response, context, source.tested?.(of) ?? NO_CONTENT);
      }
      lines.end();
      await work.run(readOn);
      reader.end();
      annotate(() => counters.attributes());
      if (reader.waitingRows > 0) await stage();
      await again();
      // From here on it takes effect, whether or not its sender still waits.
      watch.end();
      const batch = {
        about: { endpoint, ...answer.about(response) },
        scope: key.id,
        digest: lines.digest() ?? end.digest,
      };
      const settled = await settleUpload(deps, await upload(), counters, batch, limits.claimMs);
      if (settled === 'busy') return answer.unavailable(request, response, voice);
      const receipt = settled === 'already_taken' ? null : settled;
      if (receipt !== null) noteOutcome(deps.signals, endpoint, key, ownAttributionId, counters);
      answer.settled(response, source.answer(counters.settled(receipt, reader.objects), of), voice);
    } finally {
      // After its end this does nothing; after anything else no row of the upload may stay behind.
      await (opened as SpoolUpload | null)?.abort();
    }
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
        sourceRequest(request, query, deps.clock(), key.settings, limits.retentionMs),
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

/** The holder of the key may be another than the body's signer. */
function unproven(): ServiceError {
  return new ServiceError(
    'forbidden',
    'The signature over the body is missing, or was not made with the secret of this key.',
  );
}
