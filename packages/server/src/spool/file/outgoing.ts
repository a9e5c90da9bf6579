/** What goes out: batches for the warehouse. Everything here makes room, so it may use the reserve of a full disk. */
import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { join, linesOf, without } from '../lines.ts';
import { BATCH_BYTES, BATCH_CHUNKS, type TakenBatch } from '../port.ts';
import { unstorable } from '../quarantine.ts';
import type { Batch } from '../types.ts';
import type { SpoolFile } from './file.ts';
import { quarantine } from './quarantine.ts';
import { type SealedChunk, sealOf } from './schema.ts';

/**
 * The oldest batch that was begun or made by halving, else a new one of the oldest row's month. Its id and attempt are durable before
 * it is handed out. Null when nothing is ready.
 * @param parked batches to pass over
 * @param mostBytes of a new one; a chunk is not divided
 */
export function takeBatch(
  file: SpoolFile,
  parked: readonly string[],
  mostBytes: number = BATCH_BYTES,
): TakenBatch | null {
  const begun = file
    .statement('SELECT id, attempt FROM batches ORDER BY rowid LIMIT ?')
    .all(parked.length + 1);
  const next = (begun as unknown as { id: string; attempt: number }[]).find(({ id }) => !parked.includes(id));
  if (next === undefined) return newBatch(file, mostBytes);
  const doubtful = next.attempt > 0;
  const batch = doubtful ? readBatch(file, next.id) : retryBatch(file, next.id);
  return batch === null ? null : { batch, doubtful, more: true };
}

function newBatch(file: SpoolFile, mostBytes: number): TakenBatch | null {
  // The window is cut before months are told apart: a backlog of another month must not be read through for each batch.
  const chunks = file
    .statement(
      `SELECT id, month, rows, size FROM chunks INDEXED BY chunks_ready
       WHERE upload IS NULL AND batch IS NULL ORDER BY id LIMIT ${BATCH_CHUNKS}`,
    )
    .all() as unknown as { id: number; month: string; rows: number; size: number }[];
  const [first] = chunks;
  if (first === undefined) return null;
  const id = randomUUID();
  const taken: typeof chunks = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (chunk.month !== first.month) continue;
    if (taken.length > 0 && bytes + chunk.size > mostBytes) break;
    taken.push(chunk);
    bytes += chunk.size;
  }
  takeChunks(file, id, first.month, taken);
  const batch = readBatch(file, id);
  const more = taken.length < chunks.length || chunks.length === BATCH_CHUNKS;
  return batch === null ? null : { batch, doubtful: false, more };
}

/** Makes chunks a batch. None of them: it has ended, or what it held is lost. */
export function takeChunks(
  file: SpoolFile,
  id: string,
  month: string,
  chunks: readonly { id: number; rows: number }[],
): void {
  if (chunks.length === 0) return;
  file.freeingTransaction(() => {
    const read = file.statement('SELECT month, rows, size, at, batch, sum FROM chunks WHERE id = ?');
    const take = file.statement('UPDATE chunks SET batch = ?, seal = ? WHERE id = ?');
    const sums: [number, number][] = [];
    for (const chunk of chunks) {
      const row = read.get(chunk.id) as unknown as SealedChunk;
      take.run(id, sealOf({ ...row, batch: id }), chunk.id);
      sums.push([chunk.id, row.sum]);
    }
    const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
    recordBatch(file, id, { month, rows, attempt: 1 });
    file.step({ op: 'take', id, month, chunks: sums });
  });
}

/** The batch's current state; null when it is finished. */
export function readBatch(file: SpoolFile, id: string): Batch | null {
  const batch = file.statement('SELECT month, rows, attempt FROM batches WHERE id = ?').get(id) as
    | Pick<Batch, 'month' | 'rows' | 'attempt'>
    | undefined;
  if (batch === undefined) return null;
  const chunks = file
    .statement('SELECT id, rows, sum, body FROM chunks JOIN bodies ON chunk = id WHERE batch = ? ORDER BY id')
    .all(id) as unknown as StoredChunk[];
  const damaged = chunks.filter((chunk) => crc32(chunk.body) !== chunk.sum);
  if (damaged.length > 0) {
    dropDamaged(file, id, damaged);
    return readBatch(file, id);
  }
  const body = join(chunks.map((chunk) => chunk.body));
  return { id, month: batch.month, rows: batch.rows, attempt: batch.attempt, body };
}

interface StoredChunk {
  readonly id: number;
  readonly rows: number;
  readonly sum: number;
  readonly body: Uint8Array;
}

/** Bytes that changed since they were written must not reach the warehouse; they are kept aside and counted as lost. */
function dropDamaged(file: SpoolFile, batch: string, chunks: readonly StoredChunk[]): void {
  const now = Date.now();
  const keptIn = file.aside.keep(now);
  for (const { id, body } of chunks) file.aside.keepPiece(keptIn, `chunk-${id}.ndjson`, body);
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
  file.freeingTransaction(() => {
    for (const { id } of chunks) file.statement('DELETE FROM chunks WHERE id = ?').run(id);
    file.statement('UPDATE batches SET rows = rows - ? WHERE id = ?').run(rows, batch);
    file.statement('DELETE FROM batches WHERE id = ? AND rows <= 0').run(batch);
    file.count([['lost', rows]]);
  });
  const found = [`${chunks.length} chunks of rows were damaged when they were to be stored`];
  file.report({ at: now, found, lostRows: rows, keptIn });
}

/** A batch again, under a new attempt number that is durable before it is used. */
export function retryBatch(file: SpoolFile, id: string): Batch | null {
  file.freeingTransaction(() =>
    file.statement('UPDATE batches SET attempt = attempt + 1 WHERE id = ?').run(id),
  );
  return readBatch(file, id);
}

/** The warehouse has it: its rows leave the spool. @param found see `OutgoingStore` */
export function finishBatch(file: SpoolFile, id: string, found = 0): void {
  file.freeingTransaction(() => {
    const batch = file.statement('SELECT rows FROM batches WHERE id = ?').get(id) as
      | { rows: number }
      | undefined;
    if (batch === undefined) return;
    const regained = Math.min(found, file.counter('lost'));
    file.count([['stored', batch.rows + regained]]);
    if (regained > 0) file.count([['lost', -regained]]);
    forgetBatch(file, id);
    file.step({ op: 'finish', id });
  });
}

/** Rows that another node has stored leave the batch before its first insert. @returns what is left of it; null: nothing */
export function leaveOut(file: SpoolFile, id: string, lines: readonly number[]): Batch | null {
  file.freeingTransaction(() => {
    const batch = readBatch(file, id);
    if (batch === null) return;
    const { at } = file.statement('SELECT min(at) AS at FROM chunks WHERE batch = ?').get(id) as {
      at: number;
    };
    const { rows, body } = without(batch, new Set(lines));
    forgetBatch(file, id);
    file.step({ op: 'leave', id, lines });
    file.count([['late_duplicate', batch.rows - rows]]);
    if (rows === 0) return;
    file.insertChunk({ month: batch.month, rows, body }, { at, batch: id });
    recordBatch(file, id, { month: batch.month, rows, attempt: batch.attempt });
  });
  return readBatch(file, id);
}

/** Halves a batch that the warehouse refused; a single row goes to quarantine. The halves come out of `takeBatch`. */
export function splitBatch(
  file: SpoolFile,
  id: string,
  reason: string,
  now: number,
  halves: readonly [string, string] | null = [randomUUID(), randomUUID()],
): void {
  file.freeingTransaction(() => {
    const batch = readBatch(file, id);
    if (batch === null) return;
    const { at } = file.statement('SELECT min(at) AS at FROM chunks WHERE batch = ?').get(id) as {
      at: number;
    };
    const lines = linesOf(batch.body);
    forgetBatch(file, id);
    file.step({ op: 'split', id, halves: lines.length > 1 ? halves : null });
    const [only, second] = lines;
    if (only !== undefined && second === undefined) {
      file.count([['unstorable', 1]]);
      quarantine(file, [unstorable(only, reason, now)]);
      return;
    }
    const middle = Math.ceil(lines.length / 2);
    for (const [index, half] of [lines.slice(0, middle), lines.slice(middle)].entries()) {
      const halfId = halves?.[index] ?? randomUUID();
      file.insertChunk({ month: batch.month, rows: half.length, body: join(half) }, { at, batch: halfId });
      recordBatch(file, halfId, { month: batch.month, rows: half.length, attempt: 0 });
    }
  });
}

/** @param batch.attempt 0: no insert was tried yet */
function recordBatch(file: SpoolFile, id: string, batch: Pick<Batch, 'month' | 'rows' | 'attempt'>): void {
  file
    .statement('INSERT INTO batches (id, month, rows, attempt) VALUES (?, ?, ?, ?)')
    .run(id, batch.month, batch.rows, batch.attempt);
}

function forgetBatch(file: SpoolFile, id: string): void {
  file.statement('DELETE FROM chunks WHERE batch = ?').run(id);
  file.statement('DELETE FROM batches WHERE id = ?').run(id);
}
