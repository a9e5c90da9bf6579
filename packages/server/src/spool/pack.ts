/** Packs the rows of many requests into a few chunks: one message and one transaction for all of them. */
import { hash } from 'node:crypto';
import type { CounterDelta, GroupMessage, PackedChunk, PackedKey, PackedRows } from './port.ts';
import type { QuarantinedInput, SpoolEntry, SpoolRow } from './types.ts';

/** A chunk is closed above this, so that a batch can be filled close to its bound. Bytes of UTF-16 text, about. */
const CHUNK_CHARACTERS = 512 * 1024;

interface OpenChunk {
  readonly index: number;
  rows: number;
  characters: number;
  text: string[];
}

/** Collects rows by month and remembers where each row with a deduplication key went. */
export class RowPacker {
  readonly #closed: { month: string; rows: number; text: string[] }[] = [];
  readonly #open = new Map<string, OpenChunk>();
  readonly #keys: PackedKey[] = [];
  /** Rows so far. */
  rows = 0;
  /** UTF-16 code units of the rows so far. */
  characters = 0;

  /** @param entry which request of the group it belongs to */
  add(row: SpoolRow, entry: number): void {
    let chunk = this.#open.get(row.month);
    if (chunk === undefined || chunk.characters > CHUNK_CHARACTERS) {
      chunk = { index: this.#closed.length, rows: 0, characters: 0, text: [] };
      this.#closed.push({ month: row.month, rows: 0, text: chunk.text });
      this.#open.set(row.month, chunk);
    }
    if (row.dedupKey !== null) {
      this.#keys.push({ key: row.dedupKey, chunk: chunk.index, line: chunk.rows, label: row.label, entry });
    }
    chunk.text.push(row.line);
    chunk.rows += 1;
    chunk.characters += row.line.length;
    this.rows += 1;
    this.characters += row.line.length;
  }

  /** The packed form. The packer is used up. */
  finish(): PackedRows {
    const chunks: PackedChunk[] = this.#closed.map(({ month, text }) => {
      const encoded = new TextEncoder().encode(`${text.join('\n')}\n`);
      return { month, rows: text.length, body: encoded };
    });
    return { chunks, keys: this.#keys };
  }
}

/** Sums counter changes of a group. */
export class Deltas {
  readonly #sums = new Map<string, number>();

  add(name: string, delta: number): void {
    if (delta !== 0) this.#sums.set(name, (this.#sums.get(name) ?? 0) + delta);
  }

  /** Everything an entry says of itself except its rows. */
  addCounts(entry: Omit<SpoolEntry, 'rows'>): void {
    const { endpoint } = entry;
    this.add(`received|${endpoint}`, entry.received);
    for (const [reason, count] of Object.entries(entry.dropped))
      this.add(`dropped|${endpoint}|${reason}`, count);
    for (const [reason, count] of Object.entries(entry.rejected))
      this.add(`rejected|${endpoint}|${reason}`, count);
  }

  list(): CounterDelta[] {
    return [...this.#sums];
  }
}

/** Requests that share one transaction. */
export function packGroup(entries: readonly SpoolEntry[]): Omit<GroupMessage, 'at'> {
  const packer = new RowPacker();
  const deltas = new Deltas();
  const quarantine: QuarantinedInput[] = [];
  entries.forEach((entry, index) => {
    deltas.addCounts(entry);
    for (const row of entry.rows) {
      packer.add(row, index);
      deltas.add(`kept|${entry.endpoint}|${row.label}`, 1);
    }
    quarantine.push(...entry.quarantine);
  });
  return {
    rows: packer.finish(),
    endpoints: entries.map(({ endpoint }) => endpoint),
    counters: deltas.list(),
    quarantine,
  };
}

/** @throws RangeError when the parts don't add up: a mistake of the caller's that would break the conservation law */
export function checkAddsUp(entry: Omit<SpoolEntry, 'rows'>, rows: number): void {
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  const parts = rows + sum(entry.dropped) + sum(entry.rejected);
  if (parts !== entry.received)
    throw new RangeError(`${entry.received} elements received, but ${parts} accounted for`);
}

/** Far above what field limits allow, far below a batch. */
const MAX_LINE = 1024 * 1024;

/**
 * An empty line ends the data of an insert and what follows may run as a statement, so that no line is taken on trust.
 * @throws TypeError when it is not one line with an object
 */
function checkLine(line: string): void {
  const isObject = line.charCodeAt(0) === 0x7b && line.charCodeAt(line.length - 1) === 0x7d;
  if (!isObject || line.length > MAX_LINE || line.includes('\n'))
    throw new TypeError('A row is not one line with an object');
}

/** @returns characters in all. @throws TypeError */
export function checkRows(rows: readonly SpoolRow[]): number {
  let characters = 0;
  for (const { line } of rows) {
    checkLine(line);
    characters += line.length;
  }
  return characters;
}

/** 16 bytes tell 10^15 keys apart; the key itself may be long, and is not stored, for privacy. */
export function digestOf(key: string): Uint8Array {
  return hash('sha256', key, 'buffer').subarray(0, 16);
}
