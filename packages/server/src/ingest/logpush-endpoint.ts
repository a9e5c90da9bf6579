/** `POST /v1/logs/edge_logpush`: admit → stream (inflate, frame, cut, screen, decode, pipeline, stage) → claim the digest → commit → answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { queryKey } from '../keys/index.ts';
import { ServiceError, within } from '../shared/index.ts';
import type { SpoolReceipt, SpoolUpload } from '../spool/index.ts';
import { admit, type CheckAgain } from './admission.ts';
import * as answer from './answer.ts';
import { SenderGone } from './body.ts';
import { announcedEncoding } from './encodings.ts';
import { LineBlocks } from './line-blocks.ts';
import { LineScreen, ScreenMemory } from './line-screen.ts';
import { addressedAttributionId } from './logpush-address.ts';
import { LogpushReader, type UploadContext } from './logpush-reader.ts';
import { ownersOf, searchEnginesOf } from './owners.ts';
import type { Claim, IngestDeps, IngestKey, IngestLimits, RawHandler } from './ports.ts';
import { ReadAhead } from './read-ahead.ts';
import { noteOutcome } from './signals.ts';
import { Tally } from './tally.ts';
import type { Turns } from './turns.ts';
import { Unframe } from './unframe.ts';
import { UploadSlots } from './upload-slots.ts';
import { readUpload, type UploadEnd } from './upload-stream.ts';
import { type UploadWatch, watchUpload } from './upload-watch.ts';
import { isValidationUpload } from './validation-upload.ts';

const ENDPOINT = 'edge_logpush';
/** Rows are handed to the spool in groups: one message to its thread, not one per row. */
const STAGE_ROWS = 512;

/** What became of an upload that was read to its end. */
type Settled = SpoolReceipt | 'already_taken' | 'busy';

export function createEdgeLogpushEndpoint<P>(
  deps: IngestDeps<P>,
  limits: IngestLimits,
  turns: Turns,
): RawHandler {
  const slots = new UploadSlots({
    perKey: limits.uploadsPerKey,
    perOrganization: limits.uploadsPerOrganization,
    total: limits.uploadsTotal,
  });
  const ahead = new ReadAhead();
  /** One for uploads of properties that tell search crawlers apart, one for all others: what is ordinary differs. */
  const memories: { plain: ScreenMemory | null; search: ScreenMemory | null } = { plain: null, search: null };

  function screen({ lists, searchEnginesOf, ownAttributionId }: UploadContext): LineScreen {
    const search = ownAttributionId === null ? null : searchEnginesOf(ownAttributionId);
    const kind = search === null ? 'plain' : 'search';
    let memory = memories[kind];
    if (memory?.lists !== (search ?? lists)) {
      memory = new ScreenMemory(search ?? lists);
      memories[kind] = memory;
    }
    return new LineScreen(memory);
  }

  async function contextOf(key: IngestKey, named: string | null): Promise<UploadContext> {
    const id = named ?? key.attributionId;
    const owners = await ownersOf(deps.properties, new Set(id === null ? [] : [id]));
    return {
      key,
      owners,
      attributionId: named,
      ownAttributionId: id !== null && owners.get(id) === key.organizationId ? id : null,
      domainsOf: deps.properties.domainsOf,
      lists: deps.lists.current(),
      searchEnginesOf: searchEnginesOf(deps),
      isBot: deps.isBot,
      toRow: deps.toRow,
      receivedAt: deps.clock(),
    };
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    key: IngestKey,
    named: string | null,
    watch: UploadWatch,
    again: CheckAgain,
  ): Promise<void> {
    const encoding = announcedEncoding(request);
    const context = await contextOf(key, named);
    const tally = new Tally({
      endpoint: ENDPOINT,
      organizationId: key.organizationId,
      at: context.receivedAt,
    });
    const reader = new LogpushReader(context, tally, screen(context), {
      lineBytes: limits.lineBytes,
      lines: limits.uploadLines,
      rejected: limits.uploadRejected,
    });
    const unframe = new Unframe();
    const blocks = new LineBlocks(reader, limits.lineBytes);
    const work = turns.begin(key.organizationId, watch.signal, limits.uploadWorkMs);
    const readOn = (isDue: () => boolean): boolean => reader.work(isDue);
    let opened: SpoolUpload | null = null;
    const upload = async (): Promise<SpoolUpload> => {
      opened ??= await deps.spool.openUpload(ENDPOINT);
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
        onArrival: watch.refresh,
        read: (chunk) => {
          blocks.push(unframe.push(chunk));
          reader.passed(unframe.takePassed());
          return readOn;
        },
        afterChunk: () => (reader.waitingRows >= STAGE_ROWS ? stage() : undefined),
      });
      if (end.short !== null && isValidationUpload(end.short)) {
        await again();
        return validated(response, context);
      }
      blocks.end();
      await work.run(readOn);
      if (reader.waitingRows > 0) await stage();
      await again();
      // From here on it takes effect, whether or not its sender still waits.
      watch.end();
      const settled = await settle(await upload(), tally, key, end);
      if (settled === 'busy') return answer.unavailable(request, response);
      const isTaken = settled === 'already_taken';
      const report = tally.report(isTaken ? { kept: 0, duplicate: 0 } : settled);
      if (!isTaken) noteOutcome(deps.signals, ENDPOINT, key, context.ownAttributionId, tally);
      if (reader.objects === 0) return answer.noObjects(response, report);
      if (isTaken || tally.rejected === 0) return answer.noContent(response);
      answer.report(response, report);
    } finally {
      // After its end this does nothing; after anything else no row of the upload may stay behind.
      await (opened as SpoolUpload | null)?.abort();
    }
  }

  function validated(response: ServerResponse, { key, ownAttributionId }: UploadContext): void {
    deps.signals.note({
      kind: 'validation_upload',
      endpoint: ENDPOINT,
      organizationId: key.organizationId,
      attributionId: ownAttributionId,
      detail: 'The edge platform tested the destination.',
    });
    answer.noContent(response);
  }

  /** @throws ServiceError `unavailable` when the database hangs */
  async function claimOf(scope: string, digest: string): Promise<Claim> {
    const claiming = deps.claims.claim(scope, digest);
    try {
      return await within(limits.claimMs, claiming);
    } catch (error) {
      // One that comes late would keep the next delivery out until its lease ends.
      claiming
        .then((late) => (late.state === 'claimed' ? late.release() : undefined))
        .catch((cause: unknown) =>
          deps.log.warn({ err: cause, endpoint: ENDPOINT }, 'a batch could not be claimed'),
        );
      throw error;
    }
  }

  /** Takes effect whole, once per key and digest, on one node. */
  async function settle(
    upload: SpoolUpload,
    tally: Tally,
    key: IngestKey,
    { digest }: UploadEnd,
  ): Promise<Settled> {
    const claim = await claimOf(key.id, digest);
    if (claim.state === 'busy') return 'busy';
    if (claim.state === 'taken') {
      await upload.takenElsewhere(tally);
      return 'already_taken';
    }
    const committed = await upload
      .commit(tally.entry(), { scope: key.id, hex: digest })
      .catch(async (error: unknown) => {
        await claim.release();
        throw error;
      });
    // From here on the rows are on disk: a claim that can't be confirmed must not be given back, or another node would take the batch again.
    await claim.confirm().catch((error: unknown) => {
      deps.log.error(
        { err: error, endpoint: ENDPOINT },
        'a stored batch could not be marked as taken for other nodes',
      );
    });
    return committed;
  }

  return (request, response, query) => {
    admit(deps, ENDPOINT, request, response, queryKey(query), (key, again) => {
      const release = slots.take(key.id, key.organizationId);
      if (release === null) return answer.unavailable(request, response);
      request.on('error', () => undefined);
      const watch = watchUpload(response, limits.uploadAnswerMs);
      handle(request, response, key, addressedAttributionId(query), watch, again)
        .catch((error: unknown) => {
          if (error instanceof SenderGone) return;
          if (error instanceof ServiceError) return answer.problem(request, response, error);
          deps.log.error(
            { err: error, endpoint: ENDPOINT, key: key.prefix },
            'an upload could not be stored',
          );
          answer.unavailable(request, response);
        })
        .finally(() => {
          watch.end();
          release();
        });
    });
  };
}
