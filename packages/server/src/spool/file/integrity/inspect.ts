/**
 * Looks at the spool's files before SQLite does, and repairs what it can. SQLite would pass over the end of a damaged log in silence, and
 * would lay the beginning of a log over a file that holds its end already.
 */
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import type { Aside } from './aside.ts';
import { bootId, type ReadMark } from './mark.ts';
import type { PageFindings, PageSums } from './page-sums.ts';
import { type Patch, walkWal } from './wal.ts';

export interface Inspection {
  /** Sentences; empty: nothing was damaged. */
  readonly found: string[];
  readonly keptIn: string | null;
  /** Pages of the main file that are not what was written. */
  readonly badPages: readonly number[];
  /** The page sums say nothing about the file: it has to be looked at from within, and they have to be recomputed. */
  readonly sumsUnknown: boolean;
  /** Commits of the log that can't be read and that the mark, which may be old, does not know. */
  readonly doubtfulCommits: number;
  /** The log ends in what can't be read. */
  readonly logBroken: boolean;
}

interface Places {
  readonly path: string;
  readonly pageSize: number;
  readonly sums: PageSums;
  readonly mark: ReadMark;
  readonly aside: Aside;
  readonly now: number;
}

const CLEAN: Inspection = {
  found: [],
  keptIn: null,
  badPages: [],
  sumsUnknown: true,
  doubtfulCommits: 0,
  logBroken: false,
};

export function inspect({ path, pageSize, sums, mark, aside, now }: Places): Inspection {
  const wal = `${path}-wal`;
  if (!existsSync(path) || statSync(path).size === 0) {
    if (mark.mark === null) return CLEAN;
    const keptIn = existsSync(wal) ? aside.keep(now) : null;
    rmSync(wal, { force: true });
    return { ...CLEAN, found: ['the file is gone'], keptIn };
  }
  const found: string[] = [];
  const log = walkWal(wal, pageSize);
  const header = sums.header;
  // SQLite wrote the log back by itself when the thread that owned it ended: the sums are older than the file.
  const wroteBack = log === null && !existsSync(wal) && header?.closed !== true;
  const isOlder = log !== null && isOlderThanFile(log, header);
  const unreadable = log !== null && log.salts === null;
  const dropsLog = isOlder || unreadable;
  const pages: PageFindings =
    header === null || wroteBack
      ? { bad: [], patches: [], unknown: 0 }
      : sums.check(path, dropsLog || log === null ? new Set() : log.pages);

  if (mark.damaged) found.push('a slot of the high-water mark can’t be read');
  if (sums.damaged > 0) found.push('page sums can’t be read');
  if (log !== null && log.patches.length > 0)
    found.push(`${places(log.patches.length)} of the log turned over and were turned back`);
  if (pages.patches.length > 0)
    found.push(`${places(pages.patches.length)} of the file turned over and were turned back`);
  if (pages.bad.length > 0) found.push(`${pages.bad.length} pages of the file are not what was written`);
  if (unreadable && log.behind.frames > 0)
    found.push(`the log can’t be read: ${log.behind.commits} commits stood in it`);
  const doubtfulCommits = log === null ? 0 : doubtful(log.behind.commits, mark);
  if (!unreadable && doubtfulCommits > 0)
    found.push(`${doubtfulCommits} commits are in the log after a place that can’t be read`);
  // Whether a broken end was ever acknowledged shows when the file is open; by then it would be gone.
  const keptIn = found.length > 0 || (log?.behind.commits ?? 0) > 0 ? aside.keep(now) : null;
  apply(wal, log?.patches ?? []);
  apply(path, pages.patches);
  if (dropsLog) rmSync(wal, { force: true });
  return {
    found,
    keptIn,
    badPages: pages.bad,
    sumsUnknown: header === null || wroteBack || sums.damaged > 0,
    doubtfulCommits,
    logBroken: (log?.behind.commits ?? 0) > 0,
  };
}

/** A log that was written back as a whole and of which only a part can be read. */
function isOlderThanFile(log: NonNullable<ReturnType<typeof walkWal>>, header: PageSums['header']): boolean {
  if (log.salts === null || header === null || header.salts === null) return false;
  const [first, second] = header.salts;
  return log.salts[0] === first && log.salts[1] === second && log.committed < header.frames;
}

/**
 * A transaction that was under way as the process was killed leaves frames that can't be read; it was never acknowledged, and
 * the mark is exact. After a power loss the mark may be old: one such transaction is taken for that, more are not.
 */
function doubtful(commits: number, { mark }: ReadMark): number {
  const isExact = mark !== null && mark.boot !== null && mark.boot === bootId();
  return isExact || commits <= 1 ? 0 : commits;
}

function apply(path: string, patches: readonly Patch[]): void {
  if (patches.length === 0) return;
  const fd = openSync(path, 'r+');
  try {
    for (const { offset, bytes } of patches) writeSync(fd, bytes, 0, bytes.length, offset);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** `user_version` as it is in the file, without opening it; null: no SQLite file. */
export function versionOf(path: string): number | null {
  if (!existsSync(path)) return null;
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(100);
    if (readSync(fd, header, 0, 100, 0) < 100) return null;
    return header.toString('latin1', 0, 15) === 'SQLite format 3' ? header.readUInt32BE(60) : null;
  } finally {
    closeSync(fd);
  }
}

const places = (count: number): string => (count === 1 ? 'one bit' : `${count} bits`);
