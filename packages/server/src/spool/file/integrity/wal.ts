/**
 * SQLite's write-ahead log as bytes: https://www.sqlite.org/fileformat2.html#walformat. SQLite stops reading at the first frame whose checksum
 * is wrong and says nothing, so that the spool reads the log itself before it lets SQLite do so.
 *
 * A frame's checksum goes on from the one before it. From a stored checksum the chain can be taken up again behind a damaged frame, and
 * a single flipped bit can be computed from the difference, since the checksum is linear.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const WAL_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
/** Read at once. */
const FRAMES_AT_ONCE = 64;
const MOST_MENDS = 16;

type Sum = readonly [number, number];

/** Bytes to be written over those at an offset of the log. */
export interface Patch {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface WalWalk {
  /** Null: the header can't be read, and SQLite will pass over the whole log. */
  readonly salts: Sum | null;
  /** Frames up to the last commit that can be read, after the patches. */
  readonly committed: number;
  /** Pages in these frames. */
  readonly pages: ReadonlySet<number>;
  /** Frames and commits of the same log behind the first frame that can't be read. */
  readonly behind: { readonly frames: number; readonly commits: number };
  /** Each undoes one flipped bit. */
  readonly patches: readonly Patch[];
}

/** @returns null when there is no log, or an empty one */
export function walkWal(path: string, pageSize: number): WalWalk | null {
  const fd = openIfThere(path);
  if (fd === null) return null;
  try {
    const { size } = fstatSync(fd);
    if (size === 0) return null;
    return new Walk(fd, size, pageSize).run();
  } finally {
    closeSync(fd);
  }
}

/** The newest image of each page among the first frames, which are known to be good. */
export function* pagesOfWal(path: string, pageSize: number, frames: number): Generator<[number, Uint8Array]> {
  const fd = openIfThere(path);
  if (fd === null) return;
  try {
    const bytes = FRAME_HEADER_BYTES + pageSize;
    for (let from = 0; from < frames; from += FRAMES_AT_ONCE) {
      const block = read(
        fd,
        WAL_HEADER_BYTES + from * bytes,
        Math.min(FRAMES_AT_ONCE, frames - from) * bytes,
      );
      for (let at = 0; at + bytes <= block.length; at += bytes) {
        yield [block.readUInt32BE(at), block.subarray(at + FRAME_HEADER_BYTES, at + bytes)];
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** The salts of the log as its header says; null when there is none. */
export function saltsOf(path: string): Sum | null {
  const fd = openIfThere(path);
  if (fd === null) return null;
  try {
    const header = read(fd, 0, WAL_HEADER_BYTES);
    return header.length < WAL_HEADER_BYTES ? null : [header.readUInt32BE(16), header.readUInt32BE(20)];
  } finally {
    closeSync(fd);
  }
}

class Walk {
  readonly #fd: number;
  readonly #frames: number;
  readonly #pageSize: number;
  #bigEndian = false;
  readonly #patches: Patch[] = [];
  #block: Buffer = Buffer.alloc(0);
  #blockAt = -1;

  constructor(fd: number, size: number, pageSize: number) {
    this.#fd = fd;
    this.#pageSize = pageSize;
    this.#frames = Math.max(0, Math.floor((size - WAL_HEADER_BYTES) / (FRAME_HEADER_BYTES + pageSize)));
  }

  run(): WalWalk {
    const header = this.#header();
    if (header === null) return this.#unreadable();
    const salts: Sum = [header.readUInt32BE(16), header.readUInt32BE(20)];
    let sum: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)];
    const pages = new Set<number>();
    let uncommitted: number[] = [];
    let committed = 0;
    let frame = 0;
    for (; frame < this.#frames; frame += 1) {
      let bytes = this.#frame(frame);
      if (!this.#isGood(bytes, salts, sum)) {
        const mended = this.#mend(frame, salts, sum);
        if (mended === null) break;
        bytes = mended;
      }
      sum = storedSum(bytes);
      uncommitted.push(bytes.readUInt32BE(0));
      if (bytes.readUInt32BE(4) === 0) continue;
      for (const page of uncommitted) pages.add(page);
      uncommitted = [];
      committed = frame + 1;
    }
    return { salts, committed, pages, behind: this.#behind(frame, salts), patches: this.#patches };
  }

  /** The content of a log without a header: the frames name their log themselves. */
  #unreadable(): WalWalk {
    const first = this.#frames > 0 ? this.#frame(0) : null;
    const behind = first === null ? { frames: 0, commits: 0 } : this.#behind(0, saltsOfFrame(first));
    return { salts: null, committed: 0, pages: new Set(), behind, patches: [] };
  }

  #header(): Buffer | null {
    const header = read(this.#fd, 0, WAL_HEADER_BYTES);
    if (header.length < WAL_HEADER_BYTES) return null;
    const fixed = flippedBack(header, (bytes) => {
      const magic = bytes.readUInt32BE(0);
      if ((magic & 0xfffffffe) >>> 0 !== MAGIC || bytes.readUInt32BE(8) !== this.#pageSize) return false;
      return same(checksum([0, 0], bytes.subarray(0, 24), (magic & 1) === 1), [
        bytes.readUInt32BE(24),
        bytes.readUInt32BE(28),
      ]);
    });
    if (fixed === null) return null;
    if (!fixed.equals(header)) this.#patches.push({ offset: 0, bytes: fixed });
    this.#bigEndian = (fixed.readUInt32BE(0) & 1) === 1;
    return fixed;
  }

  #offset(frame: number): number {
    return WAL_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + this.#pageSize);
  }

  #frame(frame: number): Buffer {
    const bytes = FRAME_HEADER_BYTES + this.#pageSize;
    const block = Math.floor(frame / FRAMES_AT_ONCE);
    if (block !== this.#blockAt) {
      this.#block = read(this.#fd, this.#offset(block * FRAMES_AT_ONCE), FRAMES_AT_ONCE * bytes);
      this.#blockAt = block;
    }
    const at = (frame % FRAMES_AT_ONCE) * bytes;
    return this.#block.subarray(at, at + bytes);
  }

  #sumOf(bytes: Buffer, before: Sum): Sum {
    const head = checksum(before, bytes.subarray(0, 8), this.#bigEndian);
    return checksum(head, bytes.subarray(FRAME_HEADER_BYTES), this.#bigEndian);
  }

  #isGood(bytes: Buffer, salts: Sum, before: Sum): boolean {
    return same(saltsOfFrame(bytes), salts) && same(this.#sumOf(bytes, before), storedSum(bytes));
  }

  /** @returns the frame as it was before one bit of it flipped; null when that is not what happened */
  #mend(frame: number, salts: Sum, before: Sum): Buffer | null {
    if (this.#patches.length >= MOST_MENDS) return null;
    const bytes = Buffer.from(this.#frame(frame));
    const candidates: Buffer[] = [];
    const apart = bitsApart(saltsOfFrame(bytes), salts);
    if (apart > 1) return null;
    const computed = this.#sumOf(bytes, before);
    if (apart === 1) {
      bytes.writeUInt32BE(salts[0], 8);
      bytes.writeUInt32BE(salts[1], 12);
      if (same(computed, storedSum(bytes))) candidates.push(bytes);
    } else {
      if (bitsApart(computed, storedSum(bytes)) === 1) {
        const fixed = Buffer.from(bytes);
        fixed.writeUInt32BE(computed[0], 16);
        fixed.writeUInt32BE(computed[1], 20);
        candidates.push(fixed);
      }
      const summed = Buffer.concat([bytes.subarray(0, 8), bytes.subarray(FRAME_HEADER_BYTES)]);
      for (const bit of flippedBits(summed.length, computed, storedSum(bytes), this.#bigEndian)) {
        const fixed = Buffer.from(bytes);
        const at = bit >> 3;
        const index = at < 8 ? at : at - 8 + FRAME_HEADER_BYTES;
        fixed[index] = (fixed[index] ?? 0) ^ (1 << (bit & 7));
        if (this.#isGood(fixed, salts, before)) candidates.push(fixed);
      }
    }
    // A bit of the last word and a bit of the checksum look alike; the next frame tells which.
    const next = frame + 1 < this.#frames ? Buffer.from(this.#frame(frame + 1)) : null;
    const goesOn =
      next === null ? [] : candidates.filter((fixed) => this.#isGood(next, salts, storedSum(fixed)));
    const [only, another] = goesOn.length > 0 ? goesOn : candidates;
    if (only === undefined || another !== undefined) return null;
    this.#patches.push({ offset: this.#offset(frame), bytes: only });
    return only;
  }

  #behind(from: number, salts: Sum): { frames: number; commits: number } {
    let frames = 0;
    let commits = 0;
    for (let frame = from; frame < this.#frames; frame += 1) {
      const bytes = this.#frame(frame);
      if (!same(saltsOfFrame(bytes), salts)) continue;
      frames += 1;
      if (bytes.readUInt32BE(4) !== 0) commits += 1;
    }
    return { frames, commits };
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function read(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}

const saltsOfFrame = (bytes: Buffer): Sum => [bytes.readUInt32BE(8), bytes.readUInt32BE(12)];
const storedSum = (bytes: Buffer): Sum => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
const same = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];

function checksum([first, second]: Sum, bytes: Uint8Array, bigEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let s0 = first | 0;
  let s1 = second | 0;
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
    s0 = (s0 + view.getInt32(at, !bigEndian) + s1) | 0;
    s1 = (s1 + view.getInt32(at + 4, !bigEndian) + s0) | 0;
  }
  return [s0 >>> 0, s1 >>> 0];
}

function bitsApart(a: Sum, b: Sum): number {
  let count = 0;
  for (let word of [a[0] ^ b[0], a[1] ^ b[1]]) for (; word !== 0; word &= word - 1) count += 1;
  return count;
}

/**
 * The places at which a single flipped bit explains the difference of two checksums. A change of d in the first word of a pair changes the
 * sums by (d, d), in the second by (0, d), and each pair behind it takes (x, y) to (x + y, x + 2y).
 */
function* flippedBits(length: number, computed: Sum, stored: Sum, bigEndian: boolean): Generator<number> {
  const want: Sum = [(stored[0] - computed[0]) | 0, (stored[1] - computed[1]) | 0];
  let effects: [number, number][] = [
    [1, 1],
    [0, 1],
  ];
  for (let pair = length / 8 - 1; pair >= 0; pair -= 1) {
    for (const [word, [x, y]] of effects.entries()) {
      for (let bit = 0; bit < 32; bit += 1) {
        const dx = x << bit;
        const dy = y << bit;
        const isIt = (dx | 0) === want[0] && (dy | 0) === want[1];
        if (!isIt && ((-dx | 0) !== want[0] || (-dy | 0) !== want[1])) continue;
        const byte = bigEndian ? 3 - (bit >> 3) : bit >> 3;
        yield (pair * 8 + word * 4 + byte) * 8 + (bit & 7);
      }
    }
    effects = effects.map(([x, y]) => [(x + y) | 0, (x + 2 * y) | 0]);
  }
}

/** Tries every bit. @returns the bytes as they are when they are good, or with the one bit flipped that makes them so; else null */
export function flippedBack(bytes: Buffer, isGood: (bytes: Buffer) => boolean): Buffer | null {
  if (isGood(bytes)) return bytes;
  const tried = Buffer.from(bytes);
  for (let index = 0; index < tried.length; index += 1) {
    const was = tried[index] ?? 0;
    for (let bit = 0; bit < 8; bit += 1) {
      tried[index] = was ^ (1 << bit);
      if (isGood(tried)) return tried;
    }
    tried[index] = was;
  }
  return null;
}
