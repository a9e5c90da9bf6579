/**
 * What was handed to the warehouse since the last checkpoint, in a file beside the log. When the end of the log is lost, the spool's file
 * doesn't know any more that rows were shipped; the ledger restores this, so that no row is shipped twice. A line is on disk before
 * the batch that it names is inserted. Each line carries its own checksum.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A batch's way out; each step can be taken again on an older state of the file, with the same result. */
export type Step =
  | {
      readonly op: 'take';
      readonly id: string;
      readonly month: string;
      readonly chunks: readonly (readonly [id: number, sum: number])[];
    }
  | { readonly op: 'leave'; readonly id: string; readonly lines: readonly number[] }
  | { readonly op: 'split'; readonly id: string; readonly halves: readonly [string, string] | null }
  | { readonly op: 'finish'; readonly id: string };

export interface LedgerEntry {
  /** The commit that it belongs to. */
  readonly commit: number;
  readonly step: Step;
}

export class Ledger {
  readonly #path: string;
  readonly #fd: number;
  readonly #durable: boolean;
  #size = 0;

  constructor(path: string, durable: boolean) {
    this.#path = path;
    this.#fd = openSync(path, 'a', 0o600);
    this.#durable = durable;
    this.#size = readFileSync(path).length;
  }

  /** @returns the entries, and how many lines can't be read */
  read(): { entries: LedgerEntry[]; damaged: number } {
    const lines = readFileSync(this.#path, 'latin1').split('\n');
    // What is not ended was cut off while it was written: nothing was done yet.
    lines.pop();
    let damaged = 0;
    const byCommit = new Map<number, LedgerEntry[]>();
    let last = -1;
    for (const line of lines) {
      const text = line.slice(9);
      if (line.slice(0, 8) !== sealOf(text)) {
        damaged += 1;
        continue;
      }
      const entry = JSON.parse(text) as LedgerEntry;
      // The same number again: the commit before failed, and what it wanted did not happen.
      if (entry.commit !== last || !byCommit.has(entry.commit)) byCommit.set(entry.commit, []);
      last = entry.commit;
      byCommit.get(entry.commit)?.push(entry);
    }
    return { entries: [...byCommit.values()].flat().sort((a, b) => a.commit - b.commit), damaged };
  }

  /** Before the COMMIT. */
  write(commit: number, steps: readonly Step[]): void {
    const text = steps
      .map((step) => {
        const line = JSON.stringify({ commit, step } satisfies LedgerEntry);
        return `${sealOf(line)} ${line}\n`;
      })
      .join('');
    const bytes = Buffer.from(text);
    try {
      if (writeSync(this.#fd, bytes) < bytes.length) throw new Error('the ledger could not be written whole');
    } catch (error) {
      ftruncateSync(this.#fd, this.#size);
      throw error;
    }
    this.#size += bytes.length;
    // That a batch is done is asked of the warehouse again; that it was begun must be known.
    if (this.#durable && steps.some(({ op }) => op !== 'finish')) fdatasyncSync(this.#fd);
  }

  /** The main file has it all. */
  clear(): void {
    if (this.#size === 0) return;
    ftruncateSync(this.#fd, 0);
    this.#size = 0;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function sealOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
