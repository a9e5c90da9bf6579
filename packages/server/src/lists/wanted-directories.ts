/**
 * Key directories that a signed request named and whose key the list lacks: a key that was changed since the daily reading, or a directory of which a
 * vendor has one for each customer. They are read beside the intake, never within it, and held in memory.
 */
import type { SignatureAgentKey } from '@ghostlight/core';
import type { Clock, Log } from '../common/index.ts';
import { type Download, DownloadError } from '../outbound/index.ts';
import { readKeyDirectory } from './read-source.ts';

const MAX_DIRECTORIES = 64;
/** Between two readings of one directory. */
const RETRY_MS = 5 * 60_000;
/** Readings per `RETRY_MS`: who sends visits with invented host names must not make the service call all of them. */
const MAX_READINGS = 10;
const FRESH_MS = 3600_000;
/** What was read longer ago proves nothing. */
const HELD_MS = 24 * 3600_000;

export interface HeldDirectory {
  readonly keys: readonly SignatureAgentKey[];
  /** Read within the last hour. */
  readonly isFresh: boolean;
}

export interface WantedDirectories {
  /** What was read within a day; null: nothing. One that is no longer fresh is read again. */
  held(url: string): HeldDirectory | null;
  /** Has it read soon. @param url of an agent in the list, or as its pattern allows; https */
  want(url: string): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly keys: readonly SignatureAgentKey[];
  /** Epoch milliseconds; 0: never. */
  readonly readAt: number;
  readonly triedAt: number;
}

const NEVER: Entry = { keys: [], readAt: 0, triedAt: Number.NEGATIVE_INFINITY };

export function createWantedDirectories({
  download,
  clock,
  log,
  timeoutMs,
}: {
  readonly download: Download;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
}): WantedDirectories {
  const entries = new Map<string, Entry>();
  const window = { since: Number.NEGATIVE_INFINITY, count: 0 };
  const reading = new Set<Promise<void>>();
  const closing = new AbortController();

  /** Those that were used longest ago are dropped first. */
  const hold = (url: string, entry: Entry): void => {
    entries.delete(url);
    entries.set(url, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_DIRECTORIES && oldest !== undefined) entries.delete(oldest);
  };

  const mayRead = (url: string): boolean => {
    const now = clock();
    if (closing.signal.aborted || now - (entries.get(url) ?? NEVER).triedAt < RETRY_MS) return false;
    if (now - window.since >= RETRY_MS) Object.assign(window, { since: now, count: 0 });
    window.count += 1;
    return window.count <= MAX_READINGS;
  };

  const read = async (url: string): Promise<void> => {
    try {
      const found = await readKeyDirectory(url, { download, now: clock(), timeoutMs }, closing.signal);
      if ('error' in found) failed(found.error);
      else hold(url, { ...(entries.get(url) ?? NEVER), keys: found.keys, readAt: clock() });
    } catch (error) {
      failed(error instanceof DownloadError ? error.word : 'unreadable');
    }
  };
  // The host is one that a request named: it is not written down.
  const failed = (error: string): void => {
    if (!closing.signal.aborted)
      log.info({ error }, 'the key directory of a signature agent could not be read');
  };

  const want = (url: string): void => {
    if (!mayRead(url)) return;
    hold(url, { ...(entries.get(url) ?? NEVER), triedAt: clock() });
    const work = read(url).finally(() => reading.delete(work));
    reading.add(work);
  };

  return {
    held(url) {
      const entry = entries.get(url);
      if (entry === undefined) return null;
      hold(url, entry);
      const age = clock() - entry.readAt;
      if (age >= HELD_MS) return null;
      if (age >= FRESH_MS) want(url);
      return { keys: entry.keys, isFresh: age < FRESH_MS };
    },
    want,
    async settled() {
      await Promise.allSettled(reading);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(reading);
    },
  };
}
