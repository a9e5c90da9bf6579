/**
 * Opens the spool's file and sets right what damage has left: what was shipped is not shipped again, the counters don't go back, and what is
 * missing is counted as lost. See docs/decisions/0013.
 */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { countersOf, pendingOf } from '../counters.ts';
import { type FileOptions, SpoolFile } from './file.ts';
import type { LedgerEntry } from './integrity/ledger.ts';
import { finishBatch, leaveOut, splitBatch, takeChunks } from './outgoing.ts';
import { type SealedChunk, sealOf } from './schema.ts';

/** What was found damaged is in the file's first `takeDamages`. */
export function openSpoolFile(path: string, options: FileOptions): SpoolFile {
  const file = new SpoolFile(path, options);
  try {
    recover(file);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function recover(file: SpoolFile): void {
  const { inspection, salvaged } = file;
  const { mark } = file.mark;
  const now = Date.now();
  const found = [...inspection.found];
  const behind = mark === null ? 0 : Math.max(0, mark.commit - file.commitNumber);
  if (behind > 0) found.push(`the last ${behind} commits are missing`);
  if (salvaged) found.push('the file was rebuilt from what could be read');
  if (found.length === 0 && lostOf(file) === 0) {
    if (inspection.sumsUnknown) file.settle();
    if (inspection.keptIn !== null) file.aside.forgetSet(inspection.keptIn);
    return;
  }
  const keptIn = inspection.keptIn ?? file.aside.keep(now);
  const ledger = file.ledger.read();
  const later = ledger.entries.filter(({ commit }) => commit > file.commitNumber);
  if (ledger.damaged > 0) found.push(`${ledger.damaged} lines of the ledger can’t be read`);

  const knowsMore = mark !== null && (behind > 0 || salvaged || mark.commit === file.commitNumber);
  takeAgain(
    file,
    later.filter(({ commit }) => mark !== null && commit <= mark.commit),
    now,
  );
  if (knowsMore) file.restoreCounters(mark.counters, mark.commit);
  takeAgain(
    file,
    later.filter(({ commit }) => mark === null || commit > mark.commit),
    now,
  );

  const dropped = dropUnsealed(file, (name, bytes) => file.aside.keepPiece(keptIn, name, bytes));
  if (dropped > 0) found.push(`${dropped} chunks of rows are damaged`);
  settleBatches(file);
  const lost = lostOf(file);
  if (lost > 0) file.transaction(() => file.count([['lost', lost]]));
  if (lost < 0) found.push(`${-lost} rows more than were counted wait`);
  file.settle();
  const isUnknown = inspection.doubtfulCommits > 0 || (mark === null && inspection.logBroken);
  file.report({ at: now, found, lostRows: isUnknown ? null : Math.max(0, lost), keptIn });
}

/** What the warehouse was handed in commits that are lost. */
function takeAgain(file: SpoolFile, entries: readonly LedgerEntry[], now: number): void {
  for (const { step } of entries) {
    if (step.op === 'take') takeChunks(file, step.id, step.month, ofStep(file, step.chunks));
    else if (step.op === 'finish') finishBatch(file, step.id);
    else if (step.op === 'leave') leaveOut(file, step.id, step.lines);
    else splitBatch(file, step.id, 'unstorable', now, step.halves);
  }
}

/** Those of the chunks that are here still, and the same. */
function ofStep(
  file: SpoolFile,
  chunks: readonly (readonly [number, number])[],
): { id: number; rows: number }[] {
  const find = file.statement('SELECT id, rows FROM chunks WHERE id = ? AND sum = ? AND batch IS NULL');
  return chunks.flatMap(([id, sum]) => {
    const chunk = find.get(id, sum);
    return chunk === undefined ? [] : [chunk as { id: number; rows: number }];
  });
}

/** Chunks that are not what was written, in any part. @returns how many */
function dropUnsealed(file: SpoolFile, keep: (name: string, bytes: Uint8Array) => void): number {
  const ids = file.statement('SELECT id FROM chunks NOT INDEXED').all() as { id: number }[];
  const read = file.statement(
    'SELECT chunks.*, body FROM chunks LEFT JOIN bodies ON chunk = id WHERE id = ?',
  );
  const bad = ids.filter(({ id }) => {
    const chunk = read.get(id) as unknown as SealedChunk & { seal: number; body: Uint8Array | null };
    const { body } = chunk;
    if (body !== null && crc32(body) === chunk.sum && sealOf(chunk) === chunk.seal) return false;
    if (body !== null) keep(`chunk-${id}.ndjson`, body);
    return true;
  });
  file.transaction(() => {
    for (const { id } of bad) file.statement('DELETE FROM chunks WHERE id = ?').run(id);
  });
  return bad.length;
}

/** A chunk says itself to which batch it belongs. Each batch is asked about before it is inserted, under a number that none had. */
function settleBatches(file: SpoolFile): void {
  file.transaction(() => {
    file
      .statement(
        `INSERT OR IGNORE INTO batches (id, month, rows, attempt)
         SELECT batch, min(month), 0, 1 FROM chunks WHERE batch IS NOT NULL GROUP BY batch`,
      )
      .run();
    file
      .statement(
        'UPDATE batches SET rows = (SELECT coalesce(sum(rows), 0) FROM chunks WHERE batch = batches.id), attempt = attempt + ?',
      )
      .run(1_000 + randomInt(1_000_000));
    file.statement('DELETE FROM batches WHERE rows = 0').run();
  });
}

/** Rows that were counted as kept, and are neither stored nor here. */
function lostOf(file: SpoolFile): number {
  const { rows } = file
    .statement('SELECT coalesce(sum(rows), 0) AS rows FROM chunks WHERE upload IS NULL')
    .get() as { rows: number };
  return pendingOf(countersOf(new Map(file.counters()))) - rows;
}
