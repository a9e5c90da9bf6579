/** Cuts a stream of chunks into blocks of whole lines. Memory: one chunk and one line, whatever arrives. */

import { isUniform } from '../../common/index.ts';

export interface BlockSink {
  /** Whole lines, each ended by a line feed. Their memory is used again afterwards. */
  block(lines: Buffer): void;
  /** A line past the limit was passed over; its first bytes are given. */
  overlong(head: Buffer): void;
  /** Lines in which nothing stood. */
  passed(lines: number): void;
}

const LINE_FEED = 0x0a;
/** A chunk of decompressed bytes is one block. An envelope may inflate to a thousand times as much at once, and others wait for their turn. */
const BLOCK_BYTES = 128 * 1024;
/** What is first set aside for a line that goes on in the next chunk. */
const CARRY_BYTES = 4 * 1024;
const NEWLINE = Buffer.from('\n');
/** How much of an over-long line is shown. */
const HEAD_BYTES = 8 * 1024;

export class LineBlocks {
  readonly #sink: BlockSink;
  readonly #lineBytes: number;
  /** The begun line, `#carried` bytes of it: one buffer that grows, however small the chunks are. */
  #carry = Buffer.allocUnsafe(CARRY_BYTES);
  #carried = 0;
  /** The head of an over-long line that we are inside of. */
  #skipping: Buffer | null = null;

  constructor(sink: BlockSink, lineBytes: number) {
    this.#sink = sink;
    this.#lineBytes = lineBytes;
  }

  /** Between two blocks it pauses, so that others may have their turn. */
  *push(chunk: Buffer): Generator<void> {
    let from = 0;
    if (this.#carried > 0 || this.#skipping !== null) {
      const feed = chunk.indexOf(LINE_FEED);
      if (feed === -1) {
        this.#hold(chunk);
        return;
      }
      this.#hold(chunk.subarray(0, feed));
      this.#endLine();
      from = feed + 1;
    }
    // Compared, not read: a gigabyte of line feeds costs as much as its decompression.
    if (from === 0 && chunk[0] === LINE_FEED && isUniform(chunk)) {
      this.#sink.passed(chunk.length);
      return;
    }
    const last = chunk.lastIndexOf(LINE_FEED);
    while (from <= last) {
      const to = endOfBlock(chunk, from, last);
      this.#sink.block(chunk.subarray(from, to));
      from = to;
      if (from <= last) yield;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** The last line may lack its line feed. */
  end(): void {
    if (this.#carried > 0 || this.#skipping !== null) this.#endLine();
  }

  #hold(part: Buffer): void {
    if (this.#skipping !== null || part.length === 0) return;
    if (this.#carried + part.length > this.#lineBytes) {
      const head = Buffer.concat([this.#carry.subarray(0, Math.min(this.#carried, HEAD_BYTES)), part]);
      this.#skipping = Buffer.from(head.subarray(0, HEAD_BYTES));
      this.#carried = 0;
      return;
    }
    this.#append(part);
  }

  #append(part: Buffer): void {
    const needed = this.#carried + part.length;
    if (needed > this.#carry.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#carry.length * 2));
      this.#carry.copy(grown, 0, 0, this.#carried);
      this.#carry = grown;
    }
    part.copy(this.#carry, this.#carried);
    this.#carried = needed;
  }

  #endLine(): void {
    if (this.#skipping !== null) {
      this.#sink.overlong(this.#skipping);
      this.#skipping = null;
      return;
    }
    this.#append(NEWLINE);
    const line = this.#carry.subarray(0, this.#carried);
    this.#carried = 0;
    this.#sink.block(line);
  }
}

/** Behind the line feed where a block that begins at `from` ends. @param last where the chunk's last line feed is */
function endOfBlock(chunk: Buffer, from: number, last: number): number {
  if (last - from < BLOCK_BYTES) return last + 1;
  const end = chunk.lastIndexOf(LINE_FEED, from + BLOCK_BYTES - 1);
  return (end < from ? chunk.indexOf(LINE_FEED, from + BLOCK_BYTES) : end) + 1;
}
