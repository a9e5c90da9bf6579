/** Cuts a stream of chunks into blocks of whole lines. Memory: one chunk and one line, whatever arrives. */

import { isUniform } from '../../common/index.ts';

export interface BlockSink {
  /** Whole lines, each ended by a line feed. */
  block(lines: Buffer): void;
  /** A line past the limit was passed over; its first bytes are given. */
  overlong(head: Buffer): void;
  /** Lines in which nothing stood. */
  passed(lines: number): void;
  /** Whether all lines that it was given have been read: then their memory is used again. */
  readonly hasRead: boolean;
}

const LINE_FEED = 0x0a;
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
  /** The line that the sink was given last. */
  #given = Buffer.allocUnsafe(CARRY_BYTES);
  /** The head of an over-long line that we are inside of. */
  #skipping: Buffer | null = null;

  constructor(sink: BlockSink, lineBytes: number) {
    this.#sink = sink;
    this.#lineBytes = lineBytes;
  }

  push(chunk: Buffer): void {
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
    if (last >= from) {
      this.#sink.block(chunk.subarray(from, last + 1));
      from = last + 1;
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
    const room = this.#sink.hasRead ? this.#given : Buffer.allocUnsafe(CARRY_BYTES);
    this.#given = this.#carry;
    this.#carry = room;
    this.#carried = 0;
    this.#sink.block(line);
  }
}
