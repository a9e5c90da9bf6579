/**
 * What goes out: batches for the warehouse, claimed by a session for the length of a lease. The claim is a row, so a batch keeps its id and its
 * attempt when another node takes it over: what the first one inserts late is the same insert again. Everything that ends a batch asks first whether
 * it is still this session's.
 */
import { randomUUID } from 'node:crypto';
import { join, linesOf, without } from '../lines.ts';
import { BATCH_CHUNKS, type TakenBatch } from '../port.ts';
import { unstorable } from '../quarantine.ts';
import type { Batch } from '../types.ts';
import { TAKING_LOCK } from './backup.ts';
import { insertChunk } from './intake.ts';
import type { Transaction } from './lane.ts';
import { pack, unpack } from './packing.ts';
import { quarantine } from './quarantine.ts';
import type { Tables } from './schema.ts';
import { CHUNK_BYTES } from './session.ts';

export interface Claimant {
  readonly session: string;
  readonly leaseMs: number;
}

interface StoredBatch {
  readonly id: string;
  readonly month: string;
  readonly rows: number;
  readonly attempt: number;
}

interface StoredChunk {
  readonly number: string;
  readonly rows: number;
  readonly size: number;
  readonly body: Buffer;
}

/** Chunks that can't be unpacked: reported, and set aside. */
export type OnDamaged = (rows: number, numbers: readonly string[]) => void;

/** Whether there may be something to take, without a transaction: asked once a second by every node. */
export const ANYTHING_READY = (t: Tables): string =>
  `SELECT 1 WHERE EXISTS (SELECT 1 FROM ${t.batches}) OR EXISTS (
     SELECT 1 FROM ${t.chunks} WHERE batch IS NULL AND session IS NULL AND NOT damaged)`;

/** Until the transaction ends no backup begins. @returns false: one is being made */
export async function mayTake(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.query<{ free: boolean }>(
    { name: 'spool_may_take', text: 'SELECT pg_try_advisory_xact_lock_shared(hashtext($1)) AS free' },
    [TAKING_LOCK],
  );
  return rows[0]?.free === true;
}

/** A batch whose rows are yet to be read. */
type Taken = Omit<TakenBatch, 'batch'> & { readonly id: string };

/** The oldest batch of this session, or whose claim has run out. @returns null: none, or only parked ones */
export async function takeBegun(
  tx: Transaction,
  t: Tables,
  { session, leaseMs }: Claimant,
  parked: readonly string[],
): Promise<Taken | null> {
  const { rows } = await tx.query<{ id: string; attempt: number }>(
    {
      name: `${t.batches}_take`,
      text: `UPDATE ${t.batches} SET owner = $1, lease_until = now() + $2 * interval '1 ms' WHERE id = (
          SELECT id FROM ${t.batches} WHERE (owner = $1 OR owner IS NULL OR lease_until < now()) AND NOT id = ANY($3::uuid[])
          ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, attempt`,
    },
    [session, leaseMs, parked],
  );
  const [batch] = rows;
  if (batch === undefined) return null;
  if (batch.attempt === 0) await retry(tx, t, session, batch.id);
  return { id: batch.id, doubtful: batch.attempt > 0, more: true };
}

/** Makes the oldest rows of one month a batch. @returns null: nothing is ready */
export async function takeNew(
  tx: Transaction,
  t: Tables,
  { session, leaseMs }: Claimant,
  mostBytes: number,
): Promise<Taken | null> {
  // The window is cut before months are told apart: a backlog of another month must not be read through for each batch.
  const { rows: ready } = await tx.query<{ number: string; month: string; rows: number; size: number }>({
    name: `${t.chunks}_ready`,
    text: `SELECT number, month, rows, size FROM ${t.chunks} WHERE batch IS NULL AND session IS NULL AND NOT damaged
      ORDER BY number LIMIT ${BATCH_CHUNKS} FOR UPDATE SKIP LOCKED`,
  });
  const [first] = ready;
  if (first === undefined) return null;
  const taken: typeof ready = [];
  let bytes = 0;
  for (const chunk of ready) {
    if (chunk.month !== first.month) continue;
    if (taken.length > 0 && bytes + chunk.size > mostBytes) break;
    taken.push(chunk);
    bytes += chunk.size;
  }
  const id = randomUUID();
  const rows = taken.reduce((sum, chunk) => sum + chunk.rows, 0);
  tx.query(
    { name: `${t.chunks}_take`, text: `UPDATE ${t.chunks} SET batch = $1 WHERE number = ANY($2::bigint[])` },
    [id, taken.map(({ number }) => number)],
  );
  recordBatch(tx, t, { id, month: first.month, rows, attempt: 1 }, { session, leaseMs });
  return { id, doubtful: false, more: taken.length < ready.length || ready.length === BATCH_CHUNKS };
}

/**
 * The batch's current state. What can't be unpacked leaves it.
 * @returns null when it has ended, or is another session's by now
 */
export async function readBatch(
  tx: Transaction,
  t: Tables,
  session: string,
  id: string,
  onDamaged: OnDamaged,
): Promise<Batch | null> {
  const batch = await ownBatch(tx, t, session, id);
  if (batch === null) return null;
  const chunks = await chunksOf(tx, t, id);
  const bodies = await Promise.all(chunks.map(({ body, size }) => unpack(body, size)));
  const damaged = chunks.filter((_, index) => bodies[index] === null);
  const whole = bodies.filter((body) => body !== null);
  const lost = damaged.reduce((sum, { rows }) => sum + rows, 0);
  const rows = batch.rows - lost;
  if (damaged.length > 0) {
    const numbers = damaged.map(({ number }) => number);
    tx.query(
      { text: `UPDATE ${t.chunks} SET damaged = true, batch = NULL WHERE number = ANY($1::bigint[])` },
      [numbers],
    );
    tx.query({ text: `UPDATE ${t.batches} SET rows = $2 WHERE id = $1` }, [id, rows]);
    if (rows <= 0) tx.query({ text: `DELETE FROM ${t.batches} WHERE id = $1` }, [id]);
    tx.count([['lost', lost]]);
    onDamaged(lost, numbers);
  }
  if (rows <= 0) return null;
  return { id, month: batch.month, rows, attempt: batch.attempt, body: join(whole) };
}

/** The batch under the next attempt number. */
export async function retry(tx: Transaction, t: Tables, session: string, id: string): Promise<void> {
  tx.query({ text: `UPDATE ${t.batches} SET attempt = attempt + 1 WHERE id = $1 AND owner = $2` }, [
    id,
    session,
  ]);
}

/** The warehouse has it: its rows leave the spool. @param regained rows of it that were counted as lost, and were stored */
export async function finish(
  tx: Transaction,
  t: Tables,
  session: string,
  id: string,
  regained: number,
): Promise<void> {
  const batch = await forgetBatch(tx, t, session, id);
  if (batch === null) return;
  tx.count([['stored', batch.rows + regained]]);
  if (regained > 0) tx.count([['lost', -regained]]);
}

/** Rows that must not be stored leave the batch before its first insert. */
export async function leaveOut(
  tx: Transaction,
  t: Tables,
  claimant: Claimant,
  id: string,
  lines: readonly number[],
  onDamaged: OnDamaged,
): Promise<void> {
  const batch = await readBatch(tx, t, claimant.session, id, onDamaged);
  if (batch === null) return;
  const at = await oldestOf(tx, t, id);
  const { rows, body } = without(batch, new Set(lines));
  await forgetBatch(tx, t, claimant.session, id);
  tx.count([['late_duplicate', batch.rows - rows]]);
  if (rows === 0) return;
  const { month, attempt } = batch;
  await insertChunk(tx, t, { month, rows, body }, { at, body: await pack(body), batch: id });
  recordBatch(tx, t, { id, month, rows, attempt }, claimant);
}

/** Halves a batch that the warehouse refused; a single row goes to quarantine. Any node may take the halves. */
export async function split(
  tx: Transaction,
  t: Tables,
  session: string,
  { id, reason, now }: { readonly id: string; readonly reason: string; readonly now: number },
  onDamaged: OnDamaged,
): Promise<void> {
  const batch = await readBatch(tx, t, session, id, onDamaged);
  if (batch === null) return;
  const at = await oldestOf(tx, t, id);
  const lines = linesOf(batch.body);
  await forgetBatch(tx, t, session, id);
  const [only, second] = lines;
  if (only !== undefined && second === undefined) {
    tx.count([['unstorable', 1]]);
    quarantine(tx, t, [unstorable(only, reason, now)]);
    return;
  }
  const middle = Math.ceil(lines.length / 2);
  for (const half of [lines.slice(0, middle), lines.slice(middle)]) {
    const part = { id: randomUUID(), month: batch.month, rows: half.length, attempt: 0 };
    const body = join(half);
    await insertChunk(tx, t, { ...part, body }, { at, body: await pack(body), batch: part.id });
    recordBatch(tx, t, part, null);
  }
}

/** @returns null when it has ended, or is another session's by now */
async function ownBatch(
  tx: Transaction,
  t: Tables,
  session: string,
  id: string,
): Promise<StoredBatch | null> {
  const { rows } = await tx.query<StoredBatch>(
    {
      name: `${t.batches}_own`,
      text: `SELECT id, month, rows, attempt FROM ${t.batches} WHERE id = $1 AND owner = $2 FOR UPDATE`,
    },
    [id, session],
  );
  return rows[0] ?? null;
}

async function chunksOf(tx: Transaction, t: Tables, batch: string): Promise<readonly StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>(
    {
      name: `${t.chunks}_of`,
      text: `SELECT number, rows, size, body FROM ${t.chunks} WHERE batch = $1 ORDER BY ${t.chunks}.number`,
    },
    [batch],
  );
  return rows;
}

async function oldestOf(tx: Transaction, t: Tables, batch: string): Promise<number> {
  const { rows } = await tx.query<{ at: string }>(
    { text: `SELECT min(at) AS at FROM ${t.chunks} WHERE batch = $1` },
    [batch],
  );
  return Number(rows[0]?.at ?? 0);
}

/** @param owner null: any node may take it at once */
function recordBatch(tx: Transaction, t: Tables, batch: StoredBatch, owner: Claimant | null): void {
  const { id, month, rows, attempt } = batch;
  tx.query(
    {
      name: `${t.batches}_record`,
      text: `INSERT INTO ${t.batches} (id, month, rows, attempt, owner, lease_until)
        VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')`,
    },
    [id, month, rows, attempt, owner?.session ?? null, owner?.leaseMs ?? 0],
  );
}

/** @returns what it was; null, and nothing done, when it has ended or is another session's */
async function forgetBatch(
  tx: Transaction,
  t: Tables,
  session: string,
  id: string,
): Promise<{ readonly rows: number } | null> {
  const { rows } = await tx.query<{ rows: number; freed: string }>(
    {
      name: `${t.batches}_forget`,
      text: `WITH batch AS (DELETE FROM ${t.batches} WHERE id = $1 AND owner = $2 RETURNING id, rows),
          gone AS (DELETE FROM ${t.chunks} WHERE batch = (SELECT id FROM batch) RETURNING octet_length(body) AS bytes)
        SELECT rows, (SELECT coalesce(sum(bytes + ${CHUNK_BYTES}), 0) FROM gone) AS freed FROM batch`,
    },
    [id, session],
  );
  const [batch] = rows;
  if (batch === undefined) return null;
  tx.count([['bytes', -Number(batch.freed)]]);
  return batch;
}
