/**
 * All other traffic of a log, as numbers. A number is sent when its time is over, and is known by the line that began it: a log that is followed, and
 * imported afterwards, says the same numbers twice, and they count once.
 */
import { createHash } from 'node:crypto';
import {
  COUNTED_MS,
  CountedHosts,
  type CountedTime,
  countedHour,
  countOther,
  newCounted,
  type Other,
} from '@ghostlight/core';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';

/** Servers write some lines late: of long requests, and what they hold back to write it at once. */
const GRACE_MS = 10 * MINUTE_MS;
/** A line so much older than those before it begins an older log: files were put together in another order. */
const OLDER_LOG_MS = 6 * HOUR_MS;

/** What is not over yet, of one file. */
interface OpenFile {
  readonly file: string;
  /** Of its lines; epoch milliseconds. */
  newest: number;
  readonly open: CountedTime[];
}

/** For the position on disk: what was counted up to there. */
export type OpenCounts = readonly Readonly<OpenFile>[];

export class Others {
  readonly #stream: string;
  readonly #files: Map<string, OpenFile>;
  readonly #over: CountedTime[] = [];
  readonly #hosts = new CountedHosts();
  /** Mostly the next line is of the same file, time and host. */
  #last: {
    readonly of: OpenFile;
    readonly time: CountedTime;
    readonly host: string;
    /** From this line on another time begins, or one is over; epoch milliseconds. */
    readonly until: number;
  } | null = null;

  /** @param stream tells logs of several servers apart that may hold equal lines @param open of an earlier run */
  constructor(stream: string, open: OpenCounts = []) {
    this.#stream = stream;
    this.#files = new Map(structuredClone(open).map((one) => [one.file, one as OpenFile]));
    this.#nameOpen();
  }

  /**
   * @param file what tells files apart that are read at the same time
   * @param other null: a visit that is sent itself. Its time is counted nevertheless, if only with zeros
   */
  add(file: string, line: Buffer, timestamp: number, host: string, other: Other | null): void {
    const time = this.#timeOf(file, line, timestamp, host);
    if (other !== null) countOther(time, other);
  }

  /** How many wait to be sent. */
  get size(): number {
    return this.#over.length;
  }

  /** Where every line that was written is read: what follows is later. @param now epoch milliseconds */
  pass(now: number): void {
    for (const one of this.#files.values()) this.#close(one, now);
  }

  /** The file was read to its end. @param file absent: all were */
  end(file?: string): void {
    for (const one of this.#files.values()) {
      if (file !== undefined && one.file !== file) continue;
      this.#close(one, Number.POSITIVE_INFINITY);
      this.#files.delete(one.file);
    }
  }

  /** All that is over, and was not taken yet. */
  take(): CountedTime[] {
    return this.#over.splice(0);
  }

  open(): OpenCounts {
    return [...this.#files.values()].filter(({ open }) => open.length > 0);
  }

  #timeOf(file: string, line: Buffer, timestamp: number, host: string): CountedTime {
    const last = this.#last;
    if (
      last !== null &&
      last.of.file === file &&
      last.host === host &&
      timestamp >= last.time.hour &&
      timestamp < last.until
    ) {
      if (timestamp > last.of.newest) last.of.newest = timestamp;
      return last.time;
    }
    const of = this.#fileOf(file, timestamp);
    const hour = countedHour(timestamp);
    const named = this.#hosts.nameOf(host);
    let time = of.open.find((one) => one.hour === hour && one.host === named);
    if (time === undefined) {
      const id = createHash('sha256').update(`${this.#stream}\n`).update(line).digest('hex').slice(0, 32);
      time = newCounted(hour, named, id);
      // A late line is a number of its own, wherever the log is cut.
      if (isOver(time, of.newest)) {
        this.#over.push(time);
        return time;
      }
      of.open.push(time);
    }
    const ends = [time.hour + COUNTED_MS, ...of.open.map(overAt)];
    this.#last = { of, time, host, until: Math.min(...ends) };
    return time;
  }

  #fileOf(file: string, timestamp: number): OpenFile {
    let of = this.#files.get(file);
    if (of === undefined) {
      of = { file, newest: timestamp, open: [] };
      this.#files.set(file, of);
    }
    if (timestamp < of.newest - OLDER_LOG_MS) {
      this.#close(of, Number.POSITIVE_INFINITY);
      of.newest = timestamp;
    }
    if (timestamp > of.newest) {
      of.newest = timestamp;
      this.#close(of, timestamp);
    }
    return of;
  }

  #close(of: OpenFile, at: number): void {
    const over = of.open.filter((time) => isOver(time, at));
    if (over.length === 0) return;
    of.open.splice(0, of.open.length, ...of.open.filter((time) => !isOver(time, at)));
    this.#over.push(...over);
    this.#last = null;
    this.#nameOpen();
  }

  #nameOpen(): void {
    this.#hosts.keep([...this.#files.values()].flatMap(({ open }) => open.map(({ host }) => host)));
  }
}

const overAt = ({ hour }: CountedTime): number => hour + COUNTED_MS + GRACE_MS;
const isOver = (time: CountedTime, at: number): boolean => overAt(time) <= at;
