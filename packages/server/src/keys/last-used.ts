/** When each key was last used: remembered in memory, written every few seconds, so that no request waits for a write. */
import type { Clock, Log } from '../kit/index.ts';

const FLUSH_EVERY_MS = 5_000;
/** Beyond this many keys in one interval, the rest is noted in the next. */
const MAX_PENDING = 10_000;

export interface LastUsed {
  note(keyId: string): void;
  flush(): Promise<void>;
  /** Ends the timer and writes what is left. */
  close(): Promise<void>;
}

/** @param write stores times (epoch ms) by key id; a failure is logged and its times are tried again */
export function createLastUsed({
  write,
  clock,
  log,
}: {
  write: (times: ReadonlyMap<string, number>) => Promise<void>;
  clock: Clock;
  log: Log;
}): LastUsed {
  let pending = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const times = pending;
    pending = new Map();
    try {
      await write(times);
    } catch (error) {
      log.warn({ err: error, keys: times.size }, 'last use of keys could not be written; trying again');
      for (const [id, at] of times) if (!pending.has(id) && pending.size < MAX_PENDING) pending.set(id, at);
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();

  return {
    note(keyId) {
      if (pending.size < MAX_PENDING || pending.has(keyId)) pending.set(keyId, clock());
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
