/** Cuts chunks into lines. What is not ended by a line feed waits for the next chunk. */

/** No server writes longer lines; what is longer is counted and passed over. */
export const MAX_LINE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** @param line its bytes, without line end; null: it was too long. The buffer is used again afterwards. */
export type OnLine = (line: Buffer | null) => void;

export class LineCutter {
  #carried: Buffer = Buffer.alloc(0);
  /** Bytes of a line that is too long, as far as it was passed over. */
  #passed = 0;

  /** Bytes that were handed in and are no whole line yet. */
  get waiting(): number {
    return this.#carried.length + this.#passed;
  }

  push(chunk: Buffer, onLine: OnLine): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const piece = chunk.subarray(from, end);
      from = end + 1;
      if (this.#carried.length === 0 && this.#passed === 0) give(piece, onLine);
      else this.#finish(piece, onLine);
    }
    if (from === chunk.length) return;
    const rest = chunk.subarray(from);
    if (this.#passed > 0 || this.waiting + rest.length > MAX_LINE_BYTES) {
      this.#passed += this.#carried.length + rest.length;
      this.#carried = Buffer.alloc(0);
    } else this.#carried = Buffer.concat([this.#carried, rest]);
  }

  /** The last line of a file may lack its end. */
  end(onLine: OnLine): void {
    if (this.waiting > 0) this.#finish(Buffer.alloc(0), onLine);
  }

  /** Forgets what waits: the file was cut. */
  clear(): void {
    this.#carried = Buffer.alloc(0);
    this.#passed = 0;
  }

  #finish(piece: Buffer, onLine: OnLine): void {
    const isTooLong = this.#passed > 0;
    const line = isTooLong ? null : Buffer.concat([this.#carried, piece]);
    this.clear();
    if (line === null) onLine(null);
    else give(line, onLine);
  }
}

function give(line: Buffer, onLine: OnLine): void {
  if (line.length > MAX_LINE_BYTES) onLine(null);
  else onLine(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
}
