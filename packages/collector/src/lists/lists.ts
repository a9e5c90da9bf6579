/**
 * The lists in use: isolate memory, renewed every six hours from the data centre's cache or from the service. A visit is classified by
 * the lists in memory at that moment; everything that waits happens after its response.
 *
 * Memory holds values and times only. A promise of one request that another one awaits hangs for ever when the first ends
 * (workerd), so who is already asking is known by a time, `askAgainAt`.
 */
import { type BotLists, type CompiledLists, compileLists, validateLists } from '@ghostlight/core';
import type { EdgeCache } from '../platform.ts';
import { type Download, download } from './download.ts';
import { copyKey, copyOf, keepCopy, readCopy, stamp } from './edge-copy.ts';
import { snapshotLists } from './snapshot.ts';

const RENEWAL_MS = 6 * 3600_000;
/** Part of the renewal time by which isolates differ, so that they don't all ask at once. */
const JITTER = 0.1;
const RETRY_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;
/** Fifty times today's list. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_TAG_LENGTH = 256;
/** Epoch milliseconds at which the service last said that the copy is what it publishes. */
const READ_AT = 'x-ghostlight-read-at';

export interface ListsInUse {
  readonly compiled: CompiledLists;
  /** `embedded`: tokens, hosts and agents only; no address ranges, so nothing can be found spoofed. */
  readonly origin: 'embedded' | 'served';
}

export interface ListSource {
  /** null: the embedded lists stay. */
  readonly botlistUrl: string | null;
  /** Origin of the visited site, for the cache key. */
  readonly siteOrigin: string;
}

export interface Lists {
  /** Never waits: what isolate memory holds, at first the embedded snapshot. */
  current(): ListsInUse;
  /** For `waitUntil` only. Renews when due and gives what is in use then. Never rejects, and is done within 5 s. */
  renewed(source: ListSource): Promise<ListsInUse>;
}

export interface ListsDeps {
  readonly fetch: typeof fetch;
  readonly openCache: () => Promise<EdgeCache | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** 0 ≤ n < 1 */
  readonly random: () => number;
  readonly log: (sentence: string) => void;
}

/**
 * Once per isolate, which serves one `SERVICE_BOTLIST_URL`. The embedded lists are compiled here, while the isolate starts, which has a
 * second of CPU of its own: a first visit has 10 ms on the free plan, and compiling took 2.5 of the 11 that it needed.
 */
export function createLists({ fetch, openCache, now, random, log }: ListsDeps): Lists {
  let inUse: ListsInUse = { compiled: compileLists(snapshotLists()), origin: 'embedded' };
  /** `READ_AT` of the lists in use; 0 while they are the embedded ones. */
  let readAt = 0;
  let etag = '';
  let dueAt = 0;
  /** Until then no request goes to the service: one is under way, or one has just failed. */
  let askAgainAt = 0;

  /** The lists in use are those of the service as of `time`. */
  const confirm = (time: number, tag: string): void => {
    readAt = time;
    etag = tag;
    dueAt = time + RENEWAL_MS * (1 + JITTER * (2 * random() - 1));
  };

  const adopt = (lists: BotLists, time: number, tag: string): void => {
    inUse = { compiled: compileLists(lists), origin: 'served' };
    confirm(time, tag);
  };

  const adoptCopy = async (cache: EdgeCache, key: string): Promise<void> => {
    const copy = await readCopy(cache, key);
    if (copy === null) return;
    const time = stamp(copy, READ_AT, now());
    const tag = copy.headers.get('etag') ?? '';
    const isKnown = etag !== '' && tag === etag;
    if (time <= readAt || isKnown) {
      await copy.body?.cancel();
      if (time > readAt) confirm(time, tag);
      return;
    }
    const text = await copy.text();
    // Of many visits of a cold isolate that wait here, the first compiles for all.
    if (time <= readAt) return;
    const lists = readLists(text);
    if ('problem' in lists) await cache.delete(key);
    else adopt(lists, time, tag);
  };

  /** @returns a few words when the answer is of no use */
  const take = async (answer: Download, cache: EdgeCache | null, key: string): Promise<string | null> => {
    if ('problem' in answer) return answer.problem;
    if (answer.status === 304) {
      if (etag === '') return 'status 304 to an unconditional request';
      confirm(now(), etag);
      const copy = cache === null ? null : await readCopy(cache, key);
      if (cache !== null && copy !== null) await keepCopy(cache, key, copyOf(copy.body, stamps()));
      return null;
    }
    const lists = readLists(answer.text);
    if ('problem' in lists) return lists.problem;
    adopt(lists, now(), entityTag(answer.headers));
    if (cache !== null) await keepCopy(cache, key, copyOf(answer.text, stamps()));
    return null;
  };

  const stamps = (): Record<string, string> => ({
    [READ_AT]: String(readAt),
    ...(etag === '' ? {} : { etag }),
  });

  const renew = async (botlistUrl: string, siteOrigin: string): Promise<void> => {
    const cache = await openCache();
    const key = await copyKey(siteOrigin, 'lists', botlistUrl);
    if (cache !== null) await adoptCopy(cache, key).catch(() => {});
    if (now() < dueAt || now() < askAgainAt) return;
    // A request may die with its visit, so the next one is held off only as long as an answer can take.
    askAgainAt = now() + 2 * TIMEOUT_MS;
    const headers = { accept: 'application/json', ...(etag === '' ? {} : { 'if-none-match': etag }) };
    const answer = await download(fetch, {
      url: botlistUrl,
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const problem = await take(answer, cache, key);
    if (problem === null) return;
    askAgainAt = now() + RETRY_MS;
    log(`the bot list could not be renewed (${problem}); the one in use stays`);
  };

  return {
    current: () => inUse,
    async renewed({ botlistUrl, siteOrigin }) {
      if (botlistUrl === null) return inUse;
      // In a cold isolate every visit looks into the cache itself, or a burst right after its start would all go unchecked.
      const mayBeRenewed = now() >= dueAt && (readAt === 0 || now() >= askAgainAt);
      if (mayBeRenewed) await within(TIMEOUT_MS, renew(botlistUrl, siteOrigin));
      return inUse;
    },
  };
}

/** Empty where there is none, or one that is no tag but a load. */
function entityTag(headers: Headers): string {
  const tag = headers.get('etag') ?? '';
  return tag.length <= MAX_TAG_LENGTH ? tag : '';
}

function readLists(text: string): BotLists | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'no JSON' };
  }
  const checked = validateLists(value);
  return 'lists' in checked ? checked.lists : { problem: `no bot list: ${checked.reasons[0]}` };
}

/** Waits for `work`, but not longer. What it does later still counts; that it failed is no one's concern. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}
