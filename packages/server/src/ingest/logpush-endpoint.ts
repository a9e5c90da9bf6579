/** `POST /v1/logs/edge_logpush`: admit → stream (inflate, cut, screen, decode, pipeline, stage) → claim the digest → commit → answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { queryKey } from '../keys/index.ts';
import { ServiceError } from '../kit/index.ts';
import type { SpoolReceipt, SpoolUpload } from '../spool/index.ts';
import { admit } from './admission.ts';
import * as answer from './answer.ts';
import { SenderGone } from './body.ts';
import { LineBlocks } from './line-blocks.ts';
import { LineScreen } from './line-screen.ts';
import { addressedAttributionId } from './logpush-address.ts';
import { LogpushReader, type UploadContext } from './logpush-reader.ts';
import { ownersOf } from './owners.ts';
import type { IngestDeps, IngestKey, IngestLimits, RawHandler } from './ports.ts';
import { noteOutcome } from './signals.ts';
import { Tally } from './tally.ts';
import { UploadSlots } from './upload-slots.ts';
import { readUpload, type UploadEnd } from './upload-stream.ts';
import { isValidationUpload } from './validation-upload.ts';

const ENDPOINT = 'edge_logpush';
/** Rows are handed to the spool in groups: one message to its thread, not one per row. */
const STAGE_ROWS = 512;

/** What became of an upload that was read to its end. */
type Settled = SpoolReceipt | 'already_taken' | 'busy';

export function createEdgeLogpushEndpoint<P>(deps: IngestDeps<P>, limits: IngestLimits): RawHandler {
  const slots = new UploadSlots(limits.uploadsPerKey, limits.uploadsTotal);
  let screen: LineScreen | null = null;

  /** What is remembered about user agents holds for one version of the lists. */
  function currentScreen(): LineScreen {
    const lists = deps.lists.current();
    if (screen?.lists !== lists) screen = new LineScreen(lists);
    return screen;
  }

  async function contextOf(key: IngestKey, named: string | null): Promise<UploadContext> {
    const id = named ?? key.attributionId;
    const owners = await ownersOf(deps.properties, new Set(id === null ? [] : [id]));
    return {
      key,
      owners,
      attributionId: named,
      ownAttributionId: id !== null && owners.get(id) === key.organizationId ? id : null,
      lists: deps.lists.current(),
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
  ): Promise<void> {
    const context = await contextOf(key, named);
    const tally = new Tally({
      endpoint: ENDPOINT,
      organizationId: key.organizationId,
      at: context.receivedAt,
    });
    const reader = new LogpushReader(context, tally, currentScreen(), limits.lineBytes);
    const blocks = new LineBlocks(reader, limits.lineBytes);
    let opened: SpoolUpload | null = null;
    const upload = async (): Promise<SpoolUpload> => {
      opened ??= await deps.spool.openUpload(ENDPOINT);
      return opened;
    };
    const stage = async (): Promise<void> => (await upload()).stage(reader.takeRows());
    try {
      const end = await readUpload(request, limits, (chunk) => {
        blocks.push(chunk);
        return reader.waitingRows >= STAGE_ROWS ? stage() : undefined;
      });
      if (end.short !== null && isValidationUpload(end.short)) return validated(response, context);
      blocks.end();
      if (reader.waitingRows > 0) await stage();
      const settled = await settle(await upload(), tally, key, end);
      if (settled === 'busy') return answer.unavailable(request, response);
      if (settled === 'already_taken') return answer.noContent(response);
      noteOutcome(deps.signals, ENDPOINT, key, context.ownAttributionId, tally);
      if (tally.rejected === 0) return answer.noContent(response);
      answer.report(response, tally.report(settled));
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

  /** Takes effect whole, once per key and digest, on one node. */
  async function settle(
    upload: SpoolUpload,
    tally: Tally,
    key: IngestKey,
    { digest }: UploadEnd,
  ): Promise<Settled> {
    const claim = await deps.claims.claim(key.id, digest);
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
    admit(deps, ENDPOINT, request, response, queryKey(query), (key) => {
      const release = slots.take(key.id);
      if (release === null) return answer.unavailable(request, response);
      request.on('error', () => undefined);
      handle(request, response, key, addressedAttributionId(query))
        .catch((error: unknown) => {
          if (error instanceof SenderGone) return;
          if (error instanceof ServiceError) return answer.problem(request, response, error);
          deps.log.error(
            { err: error, endpoint: ENDPOINT, key: key.prefix },
            'an upload could not be stored',
          );
          answer.unavailable(request, response);
        })
        .finally(release);
    });
  };
}
