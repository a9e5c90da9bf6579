/** The end of an upload that was read whole: it takes effect once per key and digest, on one node. */
import { within } from '../../common/index.ts';
import type { SpoolUpload, UploadReceipt } from '../../spool/index.ts';
import type { Counters } from '../counters.ts';
import type { Claim, IngestDeps } from '../ports.ts';

/** What became of it. `busy`: another node is taking the same batch. */
export type UploadSettled = UploadReceipt | 'already_taken' | 'busy';

interface Batch {
  /** The upload in a log line: its source and its request. */
  readonly about: object;
  /** The key's id. */
  readonly scope: string;
  /** Hex SHA-256 of the decompressed body. */
  readonly digest: string;
}

/** @throws ServiceError `unavailable` when the database hangs; and as the spool does, with the claim given back */
export async function settleUpload<P>(
  deps: IngestDeps<P>,
  upload: SpoolUpload,
  counters: Counters,
  batch: Batch,
  claimMs: number,
): Promise<UploadSettled> {
  const { about, scope, digest } = batch;
  const claim = await claimOf(deps, batch, claimMs);
  if (claim.state === 'busy') return 'busy';
  if (claim.state === 'taken') {
    await upload.takenElsewhere(counters);
    return 'already_taken';
  }
  const committed = await upload
    .commit(counters.entry(), { scope, hex: digest })
    .catch(async (error: unknown) => {
      await claim.release();
      throw error;
    });
  // From here on the rows are on disk: a claim that can't be confirmed must not be given back, or another node would take the batch again.
  await claim.confirm().catch((error: unknown) => {
    deps.log.error({ err: error, ...about }, 'a stored batch could not be marked as taken for other nodes');
  });
  return committed;
}

async function claimOf<P>(
  deps: IngestDeps<P>,
  { about, scope, digest }: Batch,
  claimMs: number,
): Promise<Claim> {
  const claiming = deps.claims.claim(scope, digest);
  try {
    return await within(claimMs, claiming);
  } catch (error) {
    // One that comes late would keep the next delivery out until its lease ends.
    claiming
      .then((late) => (late.state === 'claimed' ? late.release() : undefined))
      .catch((cause: unknown) => deps.log.warn({ err: cause, ...about }, 'a batch could not be claimed'));
    throw error;
  }
}
