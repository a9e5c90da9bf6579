/** Beside the traffic, in pieces that don't stall it. Every node does it; what one has done the next one finds done. */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { REMEMBER_MS, type RecordedUpload } from '../port.ts';
import { QUARANTINE_KEEP_MS } from '../quarantine.ts';
import type { Transaction } from './lane.ts';
import type { Tables } from './schema.ts';
import { dropStaged, STAGED_BY_THE_DEAD } from './session.ts';

/** The key space is swept in so many slices: an index by age would cost every hit a second random page. */
export const SLICES = 4_096;

/** Forgets what is older than its time; of the deduplication keys one slice per call. @param memoryMs how long keys are kept */
export async function tidy(
  tx: Transaction,
  t: Tables,
  { slice, now, memoryMs }: { readonly slice: number; readonly now: number; readonly memoryMs: number },
): Promise<void> {
  const [from, to] = [slice, slice + 1].map(sliceStart);
  const { rowCount } = await tx.query(
    {
      // One that a group is about to renew is left to it.
      text: `DELETE FROM ${t.seen} WHERE key IN (
        SELECT key FROM ${t.seen} WHERE key >= $1 AND ($2::uuid IS NULL OR key < $2) AND at <= $3 FOR UPDATE SKIP LOCKED)`,
    },
    [from, to, now - memoryMs],
  );
  tx.count([['keys', -(rowCount ?? 0)]]);
  tx.query({ text: `DELETE FROM ${t.uploads} WHERE at <= $1` }, [now - REMEMBER_MS]);
  tx.query({ text: `DELETE FROM ${t.quarantine} WHERE at <= $1` }, [now - QUARANTINE_KEEP_MS]);
  const { rows: dead } = await tx.query<{ id: string }>({ text: STAGED_BY_THE_DEAD(t) });
  if (dead.length === 0) return;
  const ids = dead.map(({ id }) => id);
  tx.count([['bytes', -(await dropStaged((text, values) => tx.query({ text }, values), t, ids))]]);
}

/** The first key of a slice; null: behind the last one. */
function sliceStart(slice: number): string | null {
  if (slice >= SLICES) return null;
  return (slice * (0x10000 / SLICES)).toString(16).padStart(4, '0').padEnd(32, '0');
}

/** Personal data is to be deleted from rejected input; rows that wait are left out when their turn comes. @param texts that must stand nowhere */
export function scrub(tx: Transaction, t: Tables, texts: readonly string[]): void {
  for (const text of texts)
    tx.query({ text: `DELETE FROM ${t.quarantine} WHERE strpos(body, $1) > 0` }, [text]);
}

const PROBE_BYTES = 256 * 1024;

/** Writes what needs new pages and takes it back. */
export function probe(tx: Transaction, t: Tables): void {
  const id = randomUUID();
  tx.query({ text: `INSERT INTO ${t.probe} (id, filler) VALUES ($1, $2)` }, [id, randomBytes(PROBE_BYTES)]);
  tx.query({ text: `DELETE FROM ${t.probe} WHERE id = $1` }, [id]);
}

/** Those of this node: the claims on the batches of others are free when their lease ends, and then this table knows them. */
export async function recordedUploads(
  client: pg.Client,
  t: Tables,
  node: string,
  now: number,
): Promise<RecordedUpload[]> {
  const { rows } = await client.query<{ scope: string; hex: string; at: string }>(
    `SELECT scope, hex, at FROM ${t.uploads} WHERE node = $1 AND at > $2 ORDER BY at`,
    [node, now - REMEMBER_MS],
  );
  return rows.map(({ scope, hex, at }) => ({ scope, hex, at: Number(at) }));
}
