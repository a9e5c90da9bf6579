/** Packs the rows of many requests into a few chunks: one message and one transaction for all of them. */
import { hash } from 'node:crypto';
import type { CounterDelta, GroupMessage, PackedChunk, PackedKey, PackedRows } from './port.ts';
import type { QuarantinedInput, SpoolEntry, SpoolRow } from './types.ts';

/** A chunk is closed above this, so that a batch can be filled close to its bound. Bytes of UTF-16 text, about. */
const CHUNK_CHARACTERS = 512 * 1024;
/** A few single hits. It is doubled as often as it takes, up to a chunk of ASCII and its last row. */
const FIRST_BYTES = 16 * 1024;
const FULL_BYTES = CHUNK_CHARACTERS + 128 * 1024;
/** Of UTF-8, for a UTF-16 code unit. */
const MOST_BYTES_PER_CHARACTER = 3;
const LINE_FEED = 0x0a;

/** Rows of one month, as bytes from the moment they come: texts that wait for a commit would be copied by each collection of garbage. */
class Chunk {
  /** Among those of its packer. */
  readonly index: number;
  readonly month: string;
  rows = 0;
  characters = 0;
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;

  constructor(index: number, month: string) {
    this.index = index;
    this.month = month;
  }

  add(line: string): void {
    const most = this.#end + line.length * MOST_BYTES_PER_CHARACTER + 1;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, Math.min(this.#bytes.length * 2, FULL_BYTES)));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    this.#end += this.#bytes.write(line, this.#end);
    this.#bytes[this.#end] = LINE_FEED;
    this.#end += 1;
    this.rows += 1;
    this.characters += line.length;
  }

  packed(): PackedChunk {
    return { month: this.month, rows: this.rows, body: this.#bytes.subarray(0, this.#end) };
  }
}

/** Collects rows by month and remembers where each row with a deduplication key went. */
export class RowPacker {
  readonly #chunks: Chunk[] = [];
  /** By month. */
  readonly #open = new Map<string, Chunk>();
  readonly #keys: PackedKey[] = [];
  /** Rows so far. */
  rows = 0;
  /** UTF-16 code units of the rows so far. */
  characters = 0;

  /** @param entry which request of the group it belongs to */
  add({ line, month, dedupKey, label }: SpoolRow, entry: number): void {
    let chunk = this.#open.get(month);
    if (chunk === undefined || chunk.characters > CHUNK_CHARACTERS) {
      chunk = new Chunk(this.#chunks.length, month);
      this.#chunks.push(chunk);
      this.#open.set(month, chunk);
    }
    if (dedupKey !== null)
      this.#keys.push({ key: dedupKey, chunk: chunk.index, line: chunk.rows, label, entry });
    chunk.add(line);
    this.rows += 1;
    this.characters += line.length;
  }

  /** The packed form. The packer is used up. */
  finish(): PackedRows {
    return { chunks: this.#chunks.map((chunk) => chunk.packed()), keys: this.#keys };
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
export class GroupPacker {
  readonly #packer = new RowPacker();
  readonly #deltas = new Deltas();
  readonly #endpoints: string[] = [];
  readonly #quarantine: QuarantinedInput[] = [];

  add(entry: SpoolEntry): void {
    const { endpoint, rows } = entry;
    const index = this.#endpoints.push(endpoint) - 1;
    this.#deltas.addCounts(entry);
    // Most rows of a request have the label of the one before.
    let [label, count] = ['', 0];
    for (const row of rows) {
      this.#packer.add(row, index);
      if (row.label !== label) {
        this.#deltas.add(`kept|${endpoint}|${label}`, count);
        [label, count] = [row.label, 0];
      }
      count += 1;
    }
    this.#deltas.add(`kept|${endpoint}|${label}`, count);
    this.#quarantine.push(...entry.quarantine);
  }

  /** The packer is used up. */
  finish(): Omit<GroupMessage, 'at'> {
    return {
      rows: this.#packer.finish(),
      endpoints: this.#endpoints,
      counters: this.#deltas.list(),
      quarantine: this.#quarantine,
    };
  }
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
