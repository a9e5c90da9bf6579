/** Cuts a stream of chunks into blocks of whole lines. Memory: one chunk and one line, whatever arrives. */

export interface BlockSink {
  /** Whole lines, each ended by a line feed. */
  block(lines: Buffer): void;
  /** A line past the limit was passed over; its first bytes are given. */
  overlong(head: Buffer): void;
}

const LINE_FEED = 0x0a;
const NEWLINE = Buffer.from('\n');
/** How much of an over-long line is shown. */
const HEAD_BYTES = 8 * 1024;

export class LineBlocks {
  readonly #sink: BlockSink;
  readonly #lineBytes: number;
  #carry: Buffer[] = [];
  #carried = 0;
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
    this.#carry.push(part);
    this.#carried += part.length;
    if (this.#carried > this.#lineBytes) {
      this.#skipping = Buffer.from(Buffer.concat(this.#carry).subarray(0, HEAD_BYTES));
      this.#carry = [];
      this.#carried = 0;
    }
  }

  #endLine(): void {
    if (this.#skipping !== null) {
      this.#sink.overlong(this.#skipping);
      this.#skipping = null;
      return;
    }
    const line = Buffer.concat([...this.#carry, NEWLINE]);
    this.#carry = [];
    this.#carried = 0;
    this.#sink.block(line);
  }
}
