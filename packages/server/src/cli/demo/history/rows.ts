/** Hits of the past into the warehouse: classified and written as ingest does it, in batches as the shipper sends them. */
import {
  type CompiledLists,
  classify,
  hitId,
  type ObservedHit,
  type StoredHit,
  toStoredHit,
} from '@ghostlight/core';
import { isbot } from 'isbot';
import type { Loader } from '../../../service.ts';
import { toRow } from '../../../warehouse/index.ts';

/** Whose hits. */
export interface Whose {
  readonly organizationId: string;
  readonly attributionId: string;
}

/** About what fits into the 4 MiB of a batch: each costs the engine its fsyncs, a fifth of a second on a busy machine. */
const ROWS_PER_BATCH = 5_000;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** From the visit to its arrival here. */
const ON_THE_WAY_MS = 900;

/** @returns null for what the service would not keep */
export function storedHit(
  hit: ObservedHit,
  { organizationId, attributionId }: Whose,
  lists: CompiledLists,
): StoredHit | null {
  const verdict = classify(hit, lists, isbot);
  if (verdict.class === 'dropped') return null;
  return toStoredHit(hit, verdict, lists, {
    id: hitId(attributionId, hit.rayId),
    organizationId,
    attributionId,
    receivedAt: hit.at + ON_THE_WAY_MS,
    isBot: isbot,
  });
}

export interface HitWriter {
  /** In the order of time: a batch is of one month. */
  add(hit: ObservedHit): Promise<void>;
  /** Resolves when all that was added is stored. */
  flush(): Promise<void>;
  /** Rows so far, those on their way among them. */
  written(): number;
}

/**
 * @param listsAt the lists of a moment of the past
 * @param at runs something at one
 */
export function createHitWriter(
  loader: Pick<Loader, 'insertHits'>,
  whose: Whose,
  listsAt: (moment: number) => CompiledLists,
  at: (moment: number, run: () => Promise<void>) => Promise<void>,
): HitWriter {
  let lines: string[] = [];
  let bytes = 0;
  let month = '';
  let batches = 0;
  let written = 0;
  let last = 0;

  /** The batch on its way, while the next one is made. */
  let storing: Promise<void> = Promise.resolve();

  /** At the time when the last of the batch had come. */
  const send = async (): Promise<void> => {
    if (lines.length === 0) return;
    const body = Buffer.from(`${lines.join('\n')}\n`);
    const rows = lines.length;
    lines = [];
    bytes = 0;
    batches += 1;
    const id = hitId(whose.attributionId, `history:${batches}`);
    const batch = { id, attempt: 1, month, rows, body };
    await storing;
    storing = at(last, () => loader.insertHits(batch));
    // It throws where it is awaited: before the next batch.
    storing.catch(() => undefined);
    written += rows;
  };

  return {
    async add(hit) {
      const row = storedHit(hit, whose, listsAt(hit.at));
      if (row === null) return;
      const line = toRow(row);
      const its = monthOf(hit.at);
      const size = Buffer.byteLength(line) + 1;
      if (its !== month || lines.length >= ROWS_PER_BATCH || bytes + size > MAX_BATCH_BYTES) await send();
      month = its;
      bytes += size;
      last = row.received_at;
      lines.push(line);
    },
    async flush() {
      await send();
      await storing;
    },
    written: () => written,
  };
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7).replace('-', '');
