/**
 * Key directories as they were last read: isolate memory, the data centre's cache, the network. A failed reading takes nothing away;
 * a good one without a key does: that is how an operator withdraws it.
 */
import { MAX_KEY_DIRECTORY_BYTES, parseKeyDirectory, type SignatureAgentKey } from '@ghostlight/core';
import {
  COPY_SECONDS,
  copyKey,
  copyOf,
  type Download,
  download,
  keepCopy,
  readCopy,
  stamp,
} from '../lists/index.ts';
import type { EdgeCache } from '../platform.ts';

const MAX_DIRECTORIES = 64;
const TIMEOUT_MS = 2_000;
/** Between two readings of one directory, by one isolate and, through the cache's stamp, by one data centre. */
const RETRY_MS = 5 * 60_000;
const LEAST_FRESH_MS = 5 * 60_000;
/** Where the directory doesn't say. */
const USUAL_FRESH_MS = 3600_000;
const MOST_FRESH_MS = 24 * 3600_000;
/**
 * Readings of directories that only a request named (and a listed pattern allows), per isolate and `RETRY_MS`: a sender that invents host
 * names must not make the site's Worker call all of them.
 */
const MAX_ON_DEMAND = 10;

const READ_AT = 'x-ghostlight-read-at';
const FRESH_FOR = 'x-ghostlight-fresh-for';
const TRIED_AT = 'x-ghostlight-tried-at';

/** Times are epoch milliseconds. */
export interface Directory {
  readonly keys: readonly SignatureAgentKey[];
  /** 0: never, all readings failed. */
  readonly readAt: number;
  readonly freshUntil: number;
  /** The last reading over the network, whatever came of it. */
  readonly triedAt: number;
}

export interface Directories {
  /** What memory holds. */
  held(url: string): Directory | null;
  /** Takes over what another isolate has read. Never rejects. */
  lookIntoCache(url: string, siteOrigin: string): Promise<void>;
  /**
   * Reads the directory itself, at most once per 5 min. Never rejects, is done within 2 s and the cache's own time.
   * @param isListed whether the list names this URL itself; false: a pattern allows it
   */
  read(url: string, siteOrigin: string, isListed: boolean): Promise<void>;
}

export interface DirectoriesDeps {
  readonly fetch: typeof fetch;
  readonly openCache: () => Promise<EdgeCache | null>;
  readonly now: () => number;
  readonly log: (sentence: string) => void;
  /** Thumbprints of keys that are never taken. */
  readonly refusedKeys: ReadonlySet<string>;
}

const UNKNOWN: Directory = { keys: [], readAt: 0, freshUntil: 0, triedAt: 0 };

export function createDirectories({ fetch, openCache, now, log, refusedKeys }: DirectoriesDeps): Directories {
  const memory = new Map<string, Directory>();
  const onDemand = { since: 0, count: 0 };

  /** Entries that are in use or requested move to the end; the oldest are dropped. */
  const hold = (url: string, directory: Directory): void => {
    memory.delete(url);
    memory.set(url, directory);
    const [oldest] = memory.keys();
    if (memory.size > MAX_DIRECTORIES && oldest !== undefined) memory.delete(oldest);
  };

  const mayRead = (url: string, isListed: boolean): boolean => {
    const time = now();
    if (time - (memory.get(url) ?? UNKNOWN).triedAt < RETRY_MS) return false;
    if (isListed) return true;
    if (time - onDemand.since >= RETRY_MS) Object.assign(onDemand, { since: time, count: 0 });
    onDemand.count++;
    return onDemand.count <= MAX_ON_DEMAND;
  };

  const keep = async (url: string, siteOrigin: string, directory: Directory): Promise<void> => {
    const cache = await openCache();
    if (cache === null) return;
    const stamps = {
      [READ_AT]: String(directory.readAt),
      [FRESH_FOR]: String(directory.freshUntil - directory.readAt),
      [TRIED_AT]: String(directory.triedAt),
    };
    const seconds = directory.readAt === 0 ? RETRY_MS / 1000 : COPY_SECONDS;
    const copy = copyOf(JSON.stringify({ keys: directory.keys }), stamps, seconds);
    await keepCopy(cache, await copyKey(siteOrigin, 'keys', url), copy);
  };

  /** @returns a few words when the answer is of no use */
  const take = async (url: string, answer: Download, triedAt: number): Promise<string | null> => {
    if ('problem' in answer) return answer.problem;
    if (answer.status === 304) return 'status 304 to an unconditional request';
    const parsed = await parseKeyDirectory(answer.text, now(), refusedKeys);
    if ('error' in parsed) return parsed.error;
    const readAt = now();
    const freshUntil = readAt + freshness(answer.headers.get('cache-control'));
    hold(url, { keys: parsed.keys, readAt, freshUntil, triedAt });
    return null;
  };

  return {
    held(url) {
      const directory = memory.get(url);
      if (directory !== undefined) hold(url, directory);
      return directory ?? null;
    },

    async lookIntoCache(url, siteOrigin) {
      const cache = await openCache();
      const copy = cache === null ? null : await readCopy(cache, await copyKey(siteOrigin, 'keys', url));
      const text = await copy?.text().catch(() => null);
      if (copy === null || text === null || text === undefined) return;
      const parsed = await parseKeyDirectory(text, now(), refusedKeys);
      const keys = 'error' in parsed ? [] : parsed.keys;
      const held = memory.get(url) ?? UNKNOWN;
      const readAt = stamp(copy, READ_AT, now());
      const triedAt = stamp(copy, TRIED_AT, now());
      const freshUntil = readAt + Math.min(stamp(copy, FRESH_FOR, now()), MOST_FRESH_MS);
      hold(url, {
        ...(readAt > held.readAt ? { keys, readAt, freshUntil } : held),
        triedAt: Math.max(held.triedAt, triedAt),
      });
    },

    async read(url, siteOrigin, isListed) {
      if (!mayRead(url, isListed)) return;
      const triedAt = now();
      // Before the first wait: this is what keeps the next visits from asking too.
      hold(url, { ...(memory.get(url) ?? UNKNOWN), triedAt });
      const accept = 'application/http-message-signatures-directory+json, application/json;q=0.9';
      const answer = await download(fetch, {
        url,
        headers: { accept },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_KEY_DIRECTORY_BYTES,
      });
      const problem = await take(url, answer, triedAt);
      // A host that only a request named is not written down: otherwise any sender could write into the log.
      if (problem !== null)
        log(`${isListed ? url : "an agent's key directory"} could not be read (${problem})`);
      await keep(url, siteOrigin, memory.get(url) ?? UNKNOWN);
    },
  };
}

/** @returns milliseconds, between 5 min and a day */
function freshness(cacheControl: string | null): number {
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  const wanted = seconds === undefined ? USUAL_FRESH_MS : Number(seconds) * 1000;
  return Math.min(Math.max(wanted, LEAST_FRESH_MS), MOST_FRESH_MS);
}
