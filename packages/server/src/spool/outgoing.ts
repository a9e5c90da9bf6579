/** What goes out: batches for the warehouse. Everything here makes room, so it may use the reserve of a full disk. */
import { randomUUID } from 'node:crypto';
import type { SpoolFile } from './file.ts';
import { join, linesOf } from './lines.ts';
import { quarantine, unstorable } from './quarantine.ts';
import type { Batch } from './types.ts';

/** One insert's bounds: the engine likes few, large parts. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_CHUNKS = 2_000;

/** The next batch, of one month; its id is durable before anybody sees it. Null when nothing is ready. */
export function takeBatch(file: SpoolFile): Batch | null {
  const oldest = file.statement(
    'SELECT month FROM chunks INDEXED BY chunks_ready WHERE upload IS NULL AND batch IS NULL ORDER BY id LIMIT 1',
  );
  const first = oldest.get() as { month: string } | undefined;
  if (first === undefined) return null;
  const id = randomUUID();
  file.freeingTransaction(() => {
    const chunks = file
      .statement(
        `SELECT id, rows, size FROM chunks INDEXED BY chunks_ready
         WHERE upload IS NULL AND batch IS NULL AND month = ? ORDER BY id LIMIT ${BATCH_CHUNKS}`,
      )
      .all(first.month) as unknown as { id: number; rows: number; size: number }[];
    let bytes = 0;
    let rows = 0;
    for (const chunk of chunks) {
      if (rows > 0 && bytes + chunk.size > BATCH_BYTES) break;
      file.statement('UPDATE chunks SET batch = ? WHERE id = ?').run(id, chunk.id);
      bytes += chunk.size;
      rows += chunk.rows;
    }
    recordBatch(file, id, first.month, rows);
  });
  return readBatch(file, id);
}

/** The batch as it stands; null when it is finished. */
export function readBatch(file: SpoolFile, id: string): Batch | null {
  const batch = file.statement('SELECT month, rows, attempt FROM batches WHERE id = ?').get(id) as
    | Pick<Batch, 'month' | 'rows' | 'attempt'>
    | undefined;
  if (batch === undefined) return null;
  const bodies = file
    .statement('SELECT body FROM chunks JOIN bodies ON chunk = id WHERE batch = ? ORDER BY id')
    .all(id);
  const body = join((bodies as unknown as { body: Uint8Array }[]).map((row) => row.body));
  return { id, month: batch.month, rows: batch.rows, attempt: batch.attempt, body };
}

/** Batches that were handed out and never finished: the warehouse must be asked about each. */
export function unfinished(file: SpoolFile): string[] {
  const rows = file.statement('SELECT id FROM batches ORDER BY rowid').all() as unknown as { id: string }[];
  return rows.map(({ id }) => id);
}

/** A batch again, under a new attempt number that is durable before it is used. */
export function retryBatch(file: SpoolFile, id: string): Batch | null {
  file.freeingTransaction(() =>
    file.statement('UPDATE batches SET attempt = attempt + 1 WHERE id = ?').run(id),
  );
  return readBatch(file, id);
}

/** The warehouse has it: its rows leave the spool. */
export function finishBatch(file: SpoolFile, id: string): void {
  file.freeingTransaction(() => {
    const batch = file.statement('SELECT rows FROM batches WHERE id = ?').get(id) as
      | { rows: number }
      | undefined;
    if (batch === undefined) return;
    file.count([['stored', batch.rows]]);
    forgetBatch(file, id);
  });
}

/** Halves a batch that the warehouse refused; a single row goes to quarantine. @returns the halves' ids */
export function splitBatch(file: SpoolFile, id: string, reason: string, at: number): string[] {
  return file.freeingTransaction(() => {
    const batch = readBatch(file, id);
    if (batch === null) return [];
    const lines = linesOf(batch.body);
    forgetBatch(file, id);
    const [only, second] = lines;
    if (only !== undefined && second === undefined) {
      file.count([['unstorable', 1]]);
      quarantine(file, [unstorable(only, reason, at)]);
      return [];
    }
    const middle = Math.ceil(lines.length / 2);
    return [lines.slice(0, middle), lines.slice(middle)].map((half) => {
      const halfId = randomUUID();
      file.insertChunk({ month: batch.month, rows: half.length, body: join(half) }, { at, batch: halfId });
      recordBatch(file, halfId, batch.month, half.length);
      return halfId;
    });
  });
}

function recordBatch(file: SpoolFile, id: string, month: string, rows: number): void {
  file.statement('INSERT INTO batches (id, month, rows, attempt) VALUES (?, ?, ?, 1)').run(id, month, rows);
}

function forgetBatch(file: SpoolFile, id: string): void {
  file.statement('DELETE FROM chunks WHERE batch = ?').run(id);
  file.statement('DELETE FROM batches WHERE id = ?').run(id);
}
