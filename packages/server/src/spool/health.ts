/** Whether intake is open: room on the disk, and a disk that writes. */

/** After a full spool, intake opens again below this share: else it would flicker at the edge. */
const REOPEN_SHARE = 0.9;

export class Health {
  readonly #maxBytes: number;
  #full = false;
  /** Null while the last write succeeded; otherwise what the disk said. */
  failing: string | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param bytes used pages and log */
  measured(bytes: number): void {
    this.#full = bytes > (this.#full ? this.#maxBytes * REOPEN_SHARE : this.#maxBytes);
  }

  get full(): boolean {
    return this.#full;
  }

  /** Only what needs new pages tells that the disk writes again: a shipper's deletes succeed on a full one. */
  wrote(method: string): void {
    if (WRITES.has(method)) this.failing = null;
  }
}

const WRITES: ReadonlySet<string> = new Set(['append', 'stage', 'commit', 'probe']);
