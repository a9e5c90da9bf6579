/** The spool on this node's disk. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../../common/index.ts';
import { createSpool, type Spool } from '../spool.ts';
import { openFileStore } from './link.ts';

export interface SpoolOptions {
  /** Made when absent. */
  readonly directory: string;
  /** File name without ending: hits and events have a file, and so a cap, of their own. */
  readonly name?: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** For tests: a real "disk full" at this many pages. */
  readonly maxPages?: number;
  /** Default true. False: what was taken is on disk only after `close`; for data that can be rebuilt. */
  readonly durable?: boolean;
  /** Default false. True: what leaves the file is overwritten with zeros; for what tells of persons. */
  readonly secureDelete?: boolean;
}

/** @throws SpoolOpenError */
export async function openSpool({ clock, log, maxBytes, ...options }: SpoolOptions): Promise<Spool> {
  const { directory, name = 'hits', maxPages, durable = true, secureDelete = false } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.spool`);
  return await createSpool({
    ...{ kind: 'file' as const, place: file, maxBytes, clock, log },
    openStore: (health, report) =>
      openFileStore({ file, maxBytes, maxPages, durable, secureDelete }, health, log, report),
  });
}
