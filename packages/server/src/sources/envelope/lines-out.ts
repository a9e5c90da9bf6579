/** What an envelope's reader hands on: lines, and elements that are none. */
import type { Rejection } from '../reasons.ts';

/** How much of an element that is no line is shown. */
const SHOWN_BYTES = 4 * 1024;
const LINE_FEED = 0x0a;
const NEWLINE = Buffer.from('\n');

export class LinesOut {
  readonly #parts: Buffer[] = [];
  #rejected: { rejection: Rejection; text: string }[] = [];
  #last = LINE_FEED;

  /** Copied: what it was cut from may be gone when the lines are read. */
  write(bytes: Buffer): void {
    const last = bytes.at(-1);
    if (last === undefined) return;
    this.#parts.push(Buffer.from(bytes));
    this.#last = last;
  }

  /** What follows is a line of its own. */
  endLine(): void {
    if (this.#last === LINE_FEED) return;
    this.#parts.push(NEWLINE);
    this.#last = LINE_FEED;
  }

  reject(reason: Rejection['reason'], head: Buffer): void {
    this.#rejected.push({
      rejection: { reason, field: null },
      text: head.toString('utf8', 0, SHOWN_BYTES),
    });
  }

  takeLines(): Buffer {
    return Buffer.concat(this.#parts.splice(0));
  }

  takeRejected(): readonly { rejection: Rejection; text: string }[] {
    const rejected = this.#rejected;
    if (rejected.length > 0) this.#rejected = [];
    return rejected;
  }
}
