/** Beside the traffic, in pieces that don't stall it. */

import { REMEMBER_MS } from '../port.ts';
import { QUARANTINE_KEEP_MS } from '../quarantine.ts';
import type { SpoolFile } from './file.ts';

/** The key space is swept in so many slices: an index by age would cost every hit a second random page. */
const SLICES = 4_096;

/** Forgets what is older than its time; of the deduplication keys one slice per call. @param memoryMs how long keys are kept */
export function tidy(file: SpoolFile, now: number, memoryMs: number): void {
  const slice = file.nextSlice(SLICES);
  file.freeingTransaction(() => {
    file
      .statement('DELETE FROM seen WHERE key >= ? AND key < ? AND at <= ?')
      .run(sliceStart(slice), sliceStart(slice + 1), now - memoryMs);
    file.statement('DELETE FROM uploads WHERE at <= ?').run(now - REMEMBER_MS);
    file.statement('DELETE FROM quarantine WHERE at <= ?').run(now - QUARANTINE_KEEP_MS);
  });
}

/** The first key of a slice; behind the last slice lies a key longer than any. */
function sliceStart(slice: number): Uint8Array {
  if (slice >= SLICES) return new Uint8Array(17).fill(0xff);
  const prefix = slice * (0x10000 / SLICES);
  return Uint8Array.of(prefix >> 8, prefix & 0xff);
}

/**
 * Personal data is to be deleted: kept damaged files go, and quarantined input that names it; the log, where old pages
 * are, is released. What waits to be stored is left out when its turn comes.
 * @param texts that must stand nowhere
 */
export function scrub(file: SpoolFile, texts: readonly string[]): void {
  file.aside.forget();
  file.freeingTransaction(() => {
    const forget = file.statement('DELETE FROM quarantine WHERE instr(body, ?) > 0');
    for (const text of texts) forget.run(text);
  });
  file.checkpoint();
}

const PROBE_BYTES = 256 * 1024;

/** Writes what needs new pages and takes it back: on a full disk a page that exists may well be written again. */
export function probe(file: SpoolFile): void {
  file.transaction(() => file.statement('INSERT INTO probe (filler) VALUES (zeroblob(?))').run(PROBE_BYTES));
  file.transaction(() => file.statement('DELETE FROM probe').run());
  file.checkpoint();
}
