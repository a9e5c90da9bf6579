/**
 * Key directories that a signed request named and whose key the list lacks: a key that was changed since the daily reading, or a directory of which a
 * vendor has one for each customer. They are read beside the intake, never within it, and held in memory.
 */
import type { SignatureAgentKey } from '@ghostlight/core';
import type { Clock, Log } from '../common/index.ts';
import { type Download, DownloadError } from '../outbound/index.ts';
import { readKeyDirectory } from './read-source.ts';

/** Between two readings of one directory. */
const RETRY_MS = 5 * 60_000;
/** More than a list names. */
const MAX_LISTED = 1_000;
/** Those that a pattern allows and that were read; of one organization, so that its visitors don't push out what the others have. */
const MAX_FOUND = 64;
const MAX_FOUND_OF_ONE = 16;
/** Those that a pattern allows and that were never read. */
const MAX_TRIED = 256;
/**
 * First readings of such directories per `RETRY_MS`, for one organization and for all: a visitor of one property invents host names, and the service
 * must not call all of them. What the list names and what was read before needs no such bound: there are only so many of each.
 */
const MAX_NEW_OF_ONE = 10;
const MAX_NEW = 50;
const MAX_ORGANIZATIONS = 1_000;
const FRESH_MS = 3600_000;
/** What was read longer ago proves nothing. */
const HELD_MS = 24 * 3600_000;

export interface HeldDirectory {
  readonly keys: readonly SignatureAgentKey[];
  /** Read within the last hour. */
  readonly isFresh: boolean;
}

/** On whose behalf a directory is read. */
interface DirectoryWish {
  readonly organizationId: string;
  /** Whether the list names it; else an agent's pattern allows it, and its host is one that a visitor chose. */
  readonly isListed: boolean;
}

export interface WantedDirectories {
  /** What was read within a day; null: nothing. One that is no longer fresh is read again. */
  held(url: string): HeldDirectory | null;
  /** All that was read within a day. */
  all(): ReadonlyMap<string, HeldDirectory>;
  /** Has it read soon. @param url of an agent in the list, or as its pattern allows; https */
  want(url: string, by: DirectoryWish): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly by: DirectoryWish;
  readonly keys: readonly SignatureAgentKey[];
  /** Epoch milliseconds; 0: never. */
  readonly readAt: number;
  readonly triedAt: number;
}

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
  const memory = createMemory();
  const mayReadNew = createNewReadings(clock);
  const reading = new Set<Promise<void>>();
  const closing = new AbortController();

  const read = async (url: string): Promise<void> => {
    try {
      const found = await readKeyDirectory(url, { download, now: clock(), timeoutMs }, closing.signal);
      const entry = memory.get(url);
      if ('error' in found) failed(found.error);
      else if (entry !== undefined) memory.hold(url, { ...entry, keys: found.keys, readAt: clock() });
    } catch (error) {
      failed(error instanceof DownloadError ? error.word : 'unreadable');
    }
  };
  // The host is one that a request named: it is not written down.
  const failed = (error: string): void => {
    if (!closing.signal.aborted)
      log.info({ error }, 'the key directory of a signature agent could not be read');
  };

  const want = (url: string, by: DirectoryWish): void => {
    const now = clock();
    const entry = memory.get(url) ?? { by, keys: [], readAt: 0, triedAt: Number.NEGATIVE_INFINITY };
    if (closing.signal.aborted || now - entry.triedAt < RETRY_MS) return;
    if (!by.isListed && entry.readAt === 0 && !mayReadNew(by.organizationId)) return;
    memory.hold(url, { ...entry, by: by.isListed ? by : entry.by, triedAt: now });
    const work = read(url).finally(() => reading.delete(work));
    reading.add(work);
  };

  return {
    held(url) {
      const entry = memory.get(url);
      if (entry === undefined) return null;
      memory.hold(url, entry);
      const age = clock() - entry.readAt;
      if (age >= HELD_MS) return null;
      if (age >= FRESH_MS) want(url, entry.by);
      return { keys: entry.keys, isFresh: age < FRESH_MS };
    },
    all() {
      const now = clock();
      return new Map(
        memory
          .entries()
          .filter(([, { readAt }]) => now - readAt < HELD_MS)
          .map(([url, { keys, readAt }]) => [url, { keys, isFresh: now - readAt < FRESH_MS }]),
      );
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

/** Three bounded places, so that invented names push out nothing that is of use. Of each, what was used longest ago is dropped first. */
function createMemory() {
  const listed = new Map<string, Entry>();
  const found = new Map<string, Entry>();
  const tried = new Map<string, Entry>();
  return {
    get: (url: string): Entry | undefined => listed.get(url) ?? found.get(url) ?? tried.get(url),
    *entries(): Generator<readonly [string, Entry]> {
      yield* listed;
      yield* found;
      yield* tried;
    },
    hold(url: string, entry: Entry): void {
      for (const place of [listed, found, tried]) place.delete(url);
      if (entry.by.isListed) put(listed, url, entry, MAX_LISTED);
      else if (entry.readAt === 0) put(tried, url, entry, MAX_TRIED);
      else {
        const { organizationId } = entry.by;
        const [oldest, ...others] = [...found].filter(([, { by }]) => by.organizationId === organizationId);
        if (oldest !== undefined && others.length + 1 >= MAX_FOUND_OF_ONE) found.delete(oldest[0]);
        put(found, url, entry, MAX_FOUND);
      }
    },
  };
}

function createNewReadings(clock: Clock): (organizationId: string) => boolean {
  const organizations = new Map<string, Count>();
  const all: Count = { since: Number.NEGATIVE_INFINITY, count: 0 };
  return (organizationId) => {
    const now = clock();
    const own = organizations.get(organizationId) ?? { since: now, count: 0 };
    for (const window of [all, own])
      if (now - window.since >= RETRY_MS) Object.assign(window, { since: now, count: 0 });
    if (own.count >= MAX_NEW_OF_ONE || all.count >= MAX_NEW) return false;
    all.count += 1;
    own.count += 1;
    organizations.delete(organizationId);
    put(organizations, organizationId, own, MAX_ORGANIZATIONS);
    return true;
  };
}

interface Count {
  /** Epoch milliseconds. */
  since: number;
  count: number;
}

function put<V>(place: Map<string, V>, name: string, value: V, most: number): void {
  place.set(name, value);
  const [oldest] = place.keys();
  if (place.size > most && oldest !== undefined) place.delete(oldest);
}
