/** When each key was last used: remembered in memory, written every few seconds, so that no request waits for a write. */

import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';

const FLUSH_EVERY_MS = 5_000;
/** Beyond this many keys in one interval, the rest is noted in the next. */
const MAX_PENDING = 10_000;

/** Tables whose rows are keys with a `last_used_at`. */
type KeyTable = 'ingest_keys' | 'webhook_keys' | 'api_tokens' | 'share_links';

export interface LastUsed {
  note(keyId: string): void;
  flush(): Promise<void>;
  /** Ends the timer and writes what is left. */
  close(): Promise<void>;
}

/** @param table which keys. A failure to write is logged, and its times are tried again */
export function createLastUsed({
  database,
  table,
  clock,
  log,
}: {
  database: Database;
  table: KeyTable;
  clock: Clock;
  log: Log;
}): LastUsed {
  let pending = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const times = pending;
    pending = new Map();
    try {
      await write(database, table, times);
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

/** @param times epoch milliseconds by key id */
async function write(database: Database, table: KeyTable, times: ReadonlyMap<string, number>): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    // In one order on every node, or two that write at once could wait for each other.
    for (const [id, at] of [...times].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await trx
        .updateTable(table)
        .set({ last_used_at: at })
        .where('id', '=', id)
        // Another node may have seen it later.
        .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute();
    }
  });
}
