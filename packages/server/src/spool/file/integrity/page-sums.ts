/**
 * A checksum for every page of the spool's main file, and a copy of its first page, in a file beside it. SQLite has none: a flipped bit in the
 * memory of keys, say, would go unseen. Pages change in checkpoints alone, which the spool does itself; the sums follow right after,
 * while the log still holds the same pages: whenever the process ends, each page is covered by its sum or is in the log.
 */
import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bootId } from './mark.ts';
import { flippedBack, type Patch } from './wal.ts';

const MAGIC = 0x474c5331;
const HEADER_BYTES = 4096;
const BLOCK_BYTES = 4096;
/** The last four bytes of a block are the sum of the others. */
const PER_BLOCK = BLOCK_BYTES / 4 - 1;
const PAGES_AT_ONCE = 128;
/** More pages than these are not tried bit by bit: each costs a tenth of a second. */
const MOST_TRIES = 4;

interface Header {
  /** Closed in order: nothing changed the file afterwards. */
  readonly closed: boolean;
  /** The log whose first frames are in the main file. */
  readonly salts: readonly [number, number] | null;
  readonly frames: number;
}

export interface PageFindings {
  /** Pages that differ from their sums, the one bit that could be turned back aside. */
  readonly bad: readonly number[];
  readonly patches: readonly Patch[];
  /** Pages whose sums can't be read. */
  readonly unknown: number;
}

export class PageSums {
  readonly #path: string;
  readonly #pageSize: number;
  /** By page number; 0: not known. */
  #sums = new Uint32Array(PER_BLOCK);
  #pages = 0;
  #first: Uint8Array;
  #header: Header | null = null;
  readonly #dirty = new Set<number>();
  /** Blocks that can't be read. */
  damaged = 0;

  constructor(path: string, pageSize: number) {
    this.#path = path;
    this.#pageSize = pageSize;
    this.#first = new Uint8Array(pageSize);
    if (existsSync(path)) this.#load();
  }

  /** Null: there are no sums, or they can't be read. */
  get header(): Header | null {
    return this.#header;
  }

  /** Compares the main file. @param except pages that the log holds: the file's may be older, or half written */
  check(main: string, except: ReadonlySet<number>): PageFindings {
    const bad: number[] = [];
    const patches: Patch[] = [];
    let unknown = 0;
    let tries = 0;
    const fd = openSync(main, 'r');
    try {
      for (let from = 0; from < this.#pages; from += PAGES_AT_ONCE) {
        const block = Buffer.alloc(PAGES_AT_ONCE * this.#pageSize);
        const got = readSync(fd, block, 0, block.length, from * this.#pageSize);
        for (let page = from + 1; page <= Math.min(from + PAGES_AT_ONCE, this.#pages); page += 1) {
          const at = (page - from - 1) * this.#pageSize;
          const sum = this.#sums[page] ?? 0;
          if (except.has(page)) continue;
          if (sum === 0) {
            unknown += 1;
            continue;
          }
          const bytes = block.subarray(at, Math.max(at, Math.min(at + this.#pageSize, got)));
          if (bytes.length === this.#pageSize && sumOf(bytes) === sum) continue;
          tries += 1;
          const mended = this.#mend(page, bytes, sum, tries <= MOST_TRIES);
          if (mended === null) bad.push(page);
          else patches.push({ offset: (page - 1) * this.#pageSize, bytes: mended });
        }
      }
    } finally {
      closeSync(fd);
    }
    return { bad, patches, unknown };
  }

  /** Whether the first page is what was written, except for a single bit. */
  mendsFirstPage(main: string): boolean {
    const sum = this.#sums[1] ?? 0;
    const bytes = Buffer.alloc(this.#pageSize);
    const fd = openSync(main, 'r');
    readSync(fd, bytes, 0, bytes.length, 0);
    closeSync(fd);
    return sum !== 0 && flippedBack(bytes, (tried) => sumOf(tried) === sum) !== null;
  }

  #mend(page: number, bytes: Buffer, sum: number, tries: boolean): Uint8Array | null {
    if (tries && bytes.length === this.#pageSize) {
      const fixed = flippedBack(bytes, (tried) => sumOf(tried) === sum);
      if (fixed !== null) return fixed;
    }
    // Without the first page nothing of the file can be found.
    return page === 1 && sumOf(this.#first) === sum ? this.#first : null;
  }

  set(page: number, bytes: Uint8Array): void {
    if (page >= this.#sums.length) {
      const more = new Uint32Array(Math.max(page + PER_BLOCK, this.#sums.length * 2));
      more.set(this.#sums);
      this.#sums = more;
    }
    this.#sums[page] = sumOf(bytes);
    this.#pages = Math.max(this.#pages, page);
    if (page === 1) this.#first = Uint8Array.from(bytes);
    this.#dirty.add(Math.floor(page / PER_BLOCK));
  }

  /** Takes the main file as it is. */
  rebuild(main: string): void {
    const fd = openSync(main, 'r');
    try {
      const pages = Math.floor(fstatSync(fd).size / this.#pageSize);
      this.#pages = 0;
      this.#sums.fill(0);
      for (let block = 0; block * PER_BLOCK <= pages; block += 1) this.#dirty.add(block);
      const bytes = Buffer.alloc(this.#pageSize);
      for (let page = 1; page <= pages; page += 1) {
        readSync(fd, bytes, 0, bytes.length, (page - 1) * this.#pageSize);
        this.set(page, bytes);
      }
    } finally {
      closeSync(fd);
    }
  }

  /** Puts what changed on disk. */
  save(header: Header, sync: boolean): void {
    const fd = openSync(this.#path, existsSync(this.#path) ? 'r+' : 'w', 0o600);
    try {
      for (const block of this.#dirty) {
        const bytes = Buffer.alloc(BLOCK_BYTES);
        for (let n = 0; n < PER_BLOCK; n += 1)
          bytes.writeUInt32LE(this.#sums[block * PER_BLOCK + n] ?? 0, n * 4);
        bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), BLOCK_BYTES - 4);
        writeSync(fd, bytes, 0, BLOCK_BYTES, HEADER_BYTES + this.#pageSize + block * BLOCK_BYTES);
      }
      this.#dirty.clear();
      writeSync(fd, this.#first, 0, this.#pageSize, HEADER_BYTES);
      const text = Buffer.from(JSON.stringify({ ...header, pages: this.#pages, boot: bootId() }));
      const head = Buffer.alloc(12 + text.length);
      head.writeUInt32BE(MAGIC, 0);
      head.writeUInt32BE(text.length, 4);
      head.writeUInt32BE(crc32(text), 8);
      text.copy(head, 12);
      writeSync(fd, head, 0, head.length, 0);
      if (sync) fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    this.#header = header;
  }

  #load(): void {
    const fd = openSync(this.#path, 'r');
    try {
      const head = Buffer.alloc(HEADER_BYTES);
      readSync(fd, head, 0, HEADER_BYTES, 0);
      const length = head.readUInt32BE(4);
      const text = head.subarray(12, 12 + Math.min(length, HEADER_BYTES - 12));
      if (head.readUInt32BE(0) !== MAGIC || text.length !== length || crc32(text) !== head.readUInt32BE(8)) {
        this.damaged = 1;
        return;
      }
      const { pages, boot, ...header } = JSON.parse(text.toString('utf8')) as Header & {
        pages: number;
        boot: string | null;
      };
      this.#pages = pages;
      this.#sums = new Uint32Array(pages + 1 + PER_BLOCK);
      readSync(fd, this.#first, 0, this.#pageSize, HEADER_BYTES);
      const bytes = Buffer.alloc(BLOCK_BYTES);
      for (let block = 0; block * PER_BLOCK <= pages; block += 1) {
        bytes.fill(0);
        readSync(fd, bytes, 0, BLOCK_BYTES, HEADER_BYTES + this.#pageSize + block * BLOCK_BYTES);
        if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(BLOCK_BYTES - 4)) {
          // A machine that stopped in the midst of writing it leaves it torn, and the log holds what it tells of.
          if (boot === bootId()) this.damaged += 1;
          this.#dirty.add(block);
          continue;
        }
        for (let n = 0; n < PER_BLOCK; n += 1) {
          const page = block * PER_BLOCK + n;
          if (page <= pages) this.#sums[page] = bytes.readUInt32LE(n * 4);
        }
      }
      this.#header = header;
    } finally {
      closeSync(fd);
    }
  }
}

/** Never 0, which stands for "not known". */
function sumOf(bytes: Uint8Array): number {
  return crc32(bytes) || 1;
}
