/** Damaged files are kept next to the spool, for the operator, and so is what was found; both bounded in number and age. */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '@ghostlight/core/time';
import type { Damage } from '../../types.ts';

const KEEP_SETS = 3;
const KEEP_REPORTS = 20;
const KEEP_MS = 30 * DAY_MS;
/** Larger files are not copied: room is what a spool with a backlog lacks. */
const MOST_BYTES = 1024 ** 3;

export class Aside {
  readonly #file: string;
  readonly #name: string;
  readonly #directory: string;

  /** @param file of the spool */
  constructor(file: string) {
    this.#file = file;
    this.#name = basename(file).replace(/\.spool$/, '');
    this.#directory = join(dirname(file), 'damaged');
  }

  /** Copies the files as they are now. @returns where; null when there is no room for them */
  keep(now: number): string | null {
    const files = FILES.map((ending) => `${this.#file}${ending}`).filter((file) => existsSync(file));
    if (files.reduce((sum, file) => sum + statSync(file).size, 0) > MOST_BYTES) return null;
    const set = `${this.#name}-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
    const target = join(this.#directory, set);
    try {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      for (const file of files) copyFileSync(file, join(target, basename(file)), constants.COPYFILE_FICLONE);
    } catch {
      rmSync(target, { recursive: true, force: true });
      return null;
    }
    this.expire(now);
    return join('damaged', set);
  }

  /** One thing more of the same damage. */
  keepPiece(keptIn: string | null, name: string, bytes: Uint8Array): void {
    if (keptIn === null) return;
    try {
      writeFileSync(join(dirname(this.#file), keptIn, name), bytes, { mode: 0o600 });
    } catch {
      // A full disk: what is kept is evidence, no more.
    }
  }

  report(found: Omit<Damage, 'spool'>): Damage {
    const damage = { ...found, spool: this.#name };
    const all = [...this.reports(found.at), damage].slice(-KEEP_REPORTS);
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      writeFileSync(this.#reportFile, JSON.stringify(all), { mode: 0o600 });
    } catch {
      // It is in the log, and in the counters.
    }
    return damage;
  }

  /** Oldest first. */
  reports(now: number): Damage[] {
    try {
      const all = JSON.parse(readFileSync(this.#reportFile, 'utf8')) as Damage[];
      return all.filter(({ at }) => at > now - KEEP_MS);
    } catch {
      return [];
    }
  }

  /** Sets beyond the newest few, and old ones. */
  expire(now: number): void {
    const sets = this.#sets();
    sets.forEach((set, index) => {
      const path = join(this.#directory, set);
      const old = statSync(path).mtimeMs < now - KEEP_MS;
      if (old || index < sets.length - KEEP_SETS) rmSync(path, { recursive: true, force: true });
    });
  }

  /** @param keptIn as `keep` said: it was nothing */
  forgetSet(keptIn: string): void {
    rmSync(join(dirname(this.#file), keptIn), { recursive: true, force: true });
  }

  /** All kept files: they may contain personal data that is to be deleted. */
  forget(): void {
    for (const set of this.#sets()) rmSync(join(this.#directory, set), { recursive: true, force: true });
  }

  get #reportFile(): string {
    return join(this.#directory, `${this.#name}.json`);
  }

  /** Oldest first: their names hold the time. */
  #sets(): string[] {
    if (!existsSync(this.#directory)) return [];
    const isOurs = new RegExp(`^${this.#name}-\\d{4}-`);
    return readdirSync(this.#directory)
      .filter((set) => isOurs.test(set))
      .sort();
  }
}

const FILES = ['', '-wal', '-mark', '-sums', '-ledger'];
