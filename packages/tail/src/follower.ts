/**
 * Follows growing files by looking at them again and again. A file that was renamed is read to its end; of one that was cut (copytruncate) or
 * renamed while the command did not run, the rest is looked for beside it.
 */
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { compressionOf, HEAD_BYTES, readContentHead, readHead } from './archives.ts';
import { messageOf } from './faults.ts';
import { fingerprintOf, isSame } from './fingerprint.ts';
import { expand, siblingsOf } from './globs.ts';
import { LineCutter } from './lines.ts';
import { type Chosen, chooseParser, type ParserSettings } from './parsers.ts';
import type { Fingerprint, Position } from './state.ts';

/** A server may write to a renamed file until it opens the new one. */
const LEFT_BEHIND_MS = 10_000;
const CHUNK_BYTES = 64 * 1024;
/** Of the beginning, to tell the format. */
const SAMPLE_BYTES = 64 * 1024;
const MAX_SIBLINGS = 50;
/** Files that are known to be read. */
const MAX_DONE = 500;

/** A file that will not grow any more, to be read from an offset on. */
export interface Rest {
  readonly path: string;
  readonly position: Position;
}

interface Followed {
  path: string;
  readonly file: number;
  readonly inode: number;
  fingerprint: Fingerprint;
  /** Bytes that were read, those of a line without its end among them. */
  readAt: number;
  readonly cutter: LineCutter;
  chosen: Chosen | null;
  columns: readonly string[] | null;
  /** Since when the path leads elsewhere; null: it leads here. */
  leftAt: number | null;
  isUnknown: boolean;
}

export interface FollowerParts {
  readonly patterns: readonly string[];
  readonly positions: readonly Position[];
  /** Where files begin that are there at the first start. */
  readonly from: 'start' | 'end';
  readonly parsers: ParserSettings;
  /** @param file the same for a file as long as it is written */
  readonly onLine: (line: Buffer | null, chosen: Chosen, file: string) => void;
  readonly say: (sentence: string) => void;
  readonly now: () => number;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #followed = new Set<Followed>();
  /** Of earlier runs, and of files that are read to their end. */
  #known: Position[];
  readonly #rests: Rest[] = [];
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  readonly #told = new Set<string>();
  #isFirst = true;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#known = [...parts.positions];
  }

  /** How far each file was read. */
  positions(): Position[] {
    const followed = [...this.#followed].filter(({ fingerprint }) => fingerprint.length > 0).map(positionOf);
    return [...this.#known, ...followed];
  }

  /** Files that will not grow, before those that do. */
  takeRest(): Rest | null {
    return this.#rests.shift() ?? null;
  }

  /** A rest was read so far. */
  restRead(position: Position): void {
    this.#known = [
      ...this.#known.filter(({ fingerprint }) => fingerprint.digest !== position.fingerprint.digest),
      position,
    ];
    const done = this.#known.filter((one) => one.done === true);
    if (done.length > MAX_DONE) this.#known.splice(this.#known.indexOf(done[0] as Position), 1);
  }

  /** Looks at names: what is new, renamed, cut or gone. */
  async scan(): Promise<void> {
    const { patterns, positions, from, now } = this.#parts;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) await this.#findMissed();
    for (const path of new Set(patterns.flatMap(expand))) {
      try {
        await this.#look(path, isFirst && positions.length === 0 && from === 'end');
      } catch (error) {
        this.#sayOnce(`${path}: ${messageOf(error)}`);
      }
    }
    for (const one of this.#followed)
      if (one.leftAt !== null && now() - one.leftAt > LEFT_BEHIND_MS && this.#read(one) === 0)
        this.#leave(one);
  }

  /** Reads one piece of each file. @returns how many bytes there were */
  pump(): number {
    let bytes = 0;
    for (const one of this.#followed) bytes += this.#read(one);
    return bytes;
  }

  close(): void {
    for (const { file } of this.#followed) closeSync(file);
    this.#followed.clear();
  }

  /** Files that were renamed or cut while the command did not run: their positions are known, and their names lead elsewhere. */
  async #findMissed(): Promise<void> {
    const heads = new Map<string, Buffer>();
    for (const position of this.#known.filter(({ done }) => done !== true)) {
      const head = await headOf(position.path, heads);
      if (head !== null && isSame(position.fingerprint, head)) continue;
      await this.#findRest(position);
    }
  }

  /** @param position of a file that is no longer under its name */
  async #findRest(position: Position): Promise<void> {
    const siblings = siblingsOf(position.path)
      .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => a.changed - b.changed)
      .slice(-MAX_SIBLINGS);
    const heads = new Map<string, Buffer>();
    for (const [index, { path }] of siblings.entries()) {
      const head = await headOf(path, heads);
      if (head === null || !isSame(position.fingerprint, head)) continue;
      this.#known = this.#known.filter((one) => one !== position);
      this.#addRest(path, { ...position, path: position.path });
      // Files that were rotated after it were never read.
      for (const later of siblings.slice(index + 1)) {
        const begins = await headOf(later.path, heads);
        if (begins === null || begins.length === 0 || this.#knows(begins)) continue;
        this.#addRest(later.path, {
          path: position.path,
          inode: 0,
          fingerprint: fingerprintOf(begins),
          offset: 0,
          columns: null,
        });
      }
      return;
    }
    this.#known = this.#known.filter((one) => one !== position);
    this.#parts.say(
      `${position.path} is another file now, and the one that was read is not beside it. Its last lines are not sent.`,
    );
  }

  #addRest(path: string, position: Position): void {
    this.#rests.push({ path, position });
    this.#known.push(position);
  }

  #knows(head: Buffer): boolean {
    const isIt = ({ fingerprint }: { readonly fingerprint: Fingerprint }): boolean =>
      isSame(fingerprint, head);
    return this.#known.some(isIt) || [...this.#followed].some(isIt);
  }

  async #look(path: string, mayBeginAtEnd: boolean): Promise<void> {
    const stats = statSync(path, { throwIfNoEntry: false });
    const here = [...this.#followed].find((one) => one.path === path && one.leftAt === null);
    if (stats === undefined || !isReadable(stats)) {
      if (here !== undefined) here.leftAt = this.#parts.now();
      else if (stats === undefined) this.#sayOnce(`${path} is not there yet.`);
      return;
    }
    if (here !== undefined) {
      if (here.inode === stats.ino && !this.#wasCut(here)) return;
      if (here.inode === stats.ino) {
        await this.#begunAnew(here);
        return;
      }
      here.leftAt = this.#parts.now();
    }
    // Renamed into a name that is followed too.
    const elsewhere = [...this.#followed].find((one) => one.inode === stats.ino);
    if (elsewhere !== undefined) {
      if (elsewhere.leftAt !== null && isSame(elsewhere.fingerprint, readStart(elsewhere.file))) return;
    }
    await this.#open(path, stats, mayBeginAtEnd && here === undefined);
  }

  async #open(path: string, stats: Stats, beginsAtEnd: boolean): Promise<void> {
    const head = await readContentHead(path, HEAD_BYTES);
    const known = this.#known.find(({ fingerprint }) => isSame(fingerprint, head));
    if (known?.done === true) return;
    const isCompressed = compressionOf(readHead(path, 4)) !== null;
    if (isCompressed || (known !== undefined && this.#rests.some(({ position }) => position === known))) {
      if (known !== undefined) return;
      const position = { path, inode: stats.ino, fingerprint: fingerprintOf(head), offset: 0, columns: null };
      if (beginsAtEnd) this.restRead({ ...position, done: true });
      else this.#addRest(path, position);
      return;
    }
    this.#known = this.#known.filter((one) => one !== known);
    const at = known?.offset ?? (beginsAtEnd ? stats.size : 0);
    const one: Followed = {
      path,
      file: openSync(path, 'r'),
      inode: stats.ino,
      fingerprint: fingerprintOf(head),
      readAt: Math.min(at, stats.size),
      cutter: new LineCutter(),
      chosen: null,
      columns: known?.columns ?? null,
      leftAt: null,
      isUnknown: false,
    };
    // A line that is being written was not whole: what is left of it is none either.
    if (known === undefined && beginsAtEnd && at > 0) one.readAt = lastLineEnd(one.file, at);
    this.#followed.add(one);
  }

  /** Whether a file is shorter than what was read of it, or begins otherwise. */
  #wasCut(one: Followed): boolean {
    if (fstatSync(one.file).size < one.readAt) return true;
    return one.fingerprint.length > 0 && !isSame(one.fingerprint, readStart(one.file));
  }

  async #begunAnew(one: Followed): Promise<void> {
    const { path } = one;
    const position = positionOf(one);
    closeSync(one.file);
    this.#followed.delete(one);
    await this.#findRest(position);
    await this.#open(path, statSync(path), false);
  }

  #read(one: Followed): number {
    const { size } = fstatSync(one.file);
    if (size <= one.readAt || one.isUnknown) return 0;
    const start =
      one.fingerprint.length < HEAD_BYTES || one.chosen === null
        ? readStart(one.file, SAMPLE_BYTES)
        : readStart(one.file);
    // It was cut and has grown again; the next look finds it.
    if (one.fingerprint.length > 0 && !isSame(one.fingerprint, start)) return 0;
    if (one.fingerprint.length < HEAD_BYTES) one.fingerprint = fingerprintOf(start);
    const { chosen } = one;
    if (chosen === null && !this.#choose(one, start)) return 0;
    const bytes = readSync(one.file, this.#chunk, 0, CHUNK_BYTES, one.readAt);
    if (bytes === 0) return 0;
    one.readAt += bytes;
    one.cutter.push(this.#chunk.subarray(0, bytes), (line) =>
      this.#parts.onLine(line, one.chosen as Chosen, String(one.inode)),
    );
    return bytes;
  }

  #choose(one: Followed, start: Buffer): boolean {
    const chosen = chooseParser(this.#parts.parsers, start, one.columns);
    if (chosen === 'unknown') {
      one.isUnknown = true;
      this.#sayOnce(`${one.path} has an unknown format. State it: --format NAME`);
    }
    if (chosen === null || chosen === 'unknown') return false;
    one.chosen = chosen;
    this.#sayOnce(`${one.path}: ${chosen.told}`);
    return true;
  }

  /** Read to its end, and its name is another's. */
  #leave(one: Followed): void {
    if (one.chosen !== null)
      one.cutter.end((line) => this.#parts.onLine(line, one.chosen as Chosen, String(one.inode)));
    closeSync(one.file);
    this.#followed.delete(one);
    if (one.fingerprint.length > 0) this.restRead({ ...positionOf(one), offset: one.readAt, done: true });
  }

  #sayOnce(sentence: string): void {
    if (this.#told.has(sentence)) return;
    if (this.#told.size > 1_000) this.#told.clear();
    this.#told.add(sentence);
    this.#parts.say(sentence);
  }
}

function positionOf(one: Followed): Position {
  return {
    path: one.path,
    inode: one.inode,
    fingerprint: one.fingerprint,
    offset: one.readAt - one.cutter.waiting,
    columns: one.chosen?.parser.columns() ?? one.columns,
  };
}

const isReadable = (stats: Stats): boolean => stats.isFile();

function readStart(file: number, length = HEAD_BYTES): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
}

/** Where the last whole line ends, at or before an offset. */
function lastLineEnd(file: number, at: number): number {
  const from = Math.max(0, at - CHUNK_BYTES);
  const bytes = Buffer.alloc(at - from);
  const feed = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)).lastIndexOf(0x0a);
  return feed === -1 ? at : from + feed + 1;
}

/** @returns null for what can't be read */
async function headOf(path: string, heads: Map<string, Buffer>): Promise<Buffer | null> {
  const known = heads.get(path);
  if (known !== undefined) return known;
  try {
    const head = await readContentHead(path, HEAD_BYTES);
    heads.set(path, head);
    return head;
  } catch {
    return null;
  }
}
