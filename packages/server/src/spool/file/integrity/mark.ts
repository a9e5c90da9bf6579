/**
 * The high-water mark: which commit was the last one, and what the counters were, in a file beside the spool's. Written after every durable
 * COMMIT, without an fsync of its own: a killed process leaves it exact. After a power loss it may be older than the log, never
 * newer; it is synced once a second, so that it is not much older either. Two slots in turn: a torn one leaves the other.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const SLOT_BYTES = 64 * 1024;
const SLOT_HEADER_BYTES = 16;
const MAGIC = 0x474c4d31;
const SYNC_EVERY_MS = 1_000;

export interface Mark {
  /** Number of the commit. */
  readonly commit: number;
  readonly counters: readonly (readonly [string, number])[];
  /** Of the start of the machine under which it was written; null where the system does not tell. */
  readonly boot: string | null;
}

export interface ReadMark {
  readonly mark: Mark | null;
  /** A slot was written to and can't be read. */
  readonly damaged: boolean;
}

export class MarkFile {
  readonly #fd: number;
  readonly #durable: boolean;
  readonly #boot = bootId();
  #slot = 0;
  #syncedAt = 0;
  #syncing = false;
  #closed = false;

  constructor(path: string, durable: boolean) {
    this.#fd = openForWriting(path);
    this.#durable = durable;
    const [first, second] = [this.#read(0), this.#read(1)];
    if (typeof first === 'object' && (typeof second !== 'object' || first.commit > second.commit))
      this.#slot = 1;
  }

  read(): ReadMark {
    const slots = [this.#read(0), this.#read(1)];
    const marks = slots.filter((slot) => typeof slot === 'object');
    const newest = marks.sort((a, b) => b.commit - a.commit)[0] ?? null;
    return { mark: newest, damaged: slots.includes('damaged') };
  }

  write(commit: number, counters: Iterable<readonly [string, number]>): void {
    const body = Buffer.from(JSON.stringify({ commit, counters: [...counters], boot: this.#boot }));
    const slot = Buffer.alloc(SLOT_HEADER_BYTES + body.length);
    slot.writeUInt32BE(MAGIC, 0);
    slot.writeUInt32BE(body.length, 4);
    slot.writeUInt32BE(crc32(body), 8);
    body.copy(slot, SLOT_HEADER_BYTES);
    if (slot.length > SLOT_BYTES) throw new RangeError('the counters are too many for the mark');
    writeSync(this.#fd, slot, 0, slot.length, this.#slot * SLOT_BYTES);
    this.#slot = 1 - this.#slot;
    if (this.#durable) this.#syncSoon();
  }

  /** Both slots: an older one must not be read again after a recovery. */
  writeBoth(commit: number, counters: readonly (readonly [string, number])[]): void {
    this.write(commit, counters);
    this.write(commit, counters);
    if (this.#durable) fdatasyncSync(this.#fd);
  }

  close(): void {
    this.#closed = true;
    fdatasyncSync(this.#fd);
    // A sync under way on another thread holds the file for itself.
    if (!this.#syncing) closeSync(this.#fd);
  }

  #syncSoon(): void {
    const now = performance.now();
    if (this.#syncing || now - this.#syncedAt < SYNC_EVERY_MS) return;
    this.#syncing = true;
    this.#syncedAt = now;
    fdatasync(this.#fd, () => {
      this.#syncing = false;
      if (this.#closed) closeSync(this.#fd);
    });
  }

  #read(slot: number): Mark | 'empty' | 'damaged' {
    const header = Buffer.alloc(SLOT_HEADER_BYTES);
    const got = readSync(this.#fd, header, 0, SLOT_HEADER_BYTES, slot * SLOT_BYTES);
    if (got === 0 || header.every((byte) => byte === 0)) return 'empty';
    const length = header.readUInt32BE(4);
    if (header.readUInt32BE(0) !== MAGIC || length > SLOT_BYTES) return 'damaged';
    const body = Buffer.alloc(length);
    readSync(this.#fd, body, 0, length, slot * SLOT_BYTES + SLOT_HEADER_BYTES);
    if (crc32(body) !== header.readUInt32BE(8)) return 'damaged';
    return JSON.parse(body.toString('utf8')) as Mark;
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const fd = openSync(path, 'w+', 0o600);
    // Its room is taken once, so that a full disk is no reason not to write it.
    writeSync(fd, new Uint8Array(2 * SLOT_BYTES));
    return fd;
  }
}

/** Linux names each start of the machine. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
