/**
 * When and from where each key was last used: remembered in memory, written every few seconds, so that no request waits for a write. Of an
 * address only its network is kept.
 */

import { truncateIp } from '@ghostlight/core';
import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';

const FLUSH_EVERY_MS = 5_000;
/** Beyond this many keys in one interval, the rest is noted in the next. */
const MAX_PENDING = 10_000;

/** Tables whose rows are keys with a `last_used_at`; all but the share links have a `last_used_from`. */
type KeyTable = 'ingest_keys' | 'webhook_keys' | 'api_tokens' | 'share_links';

/** The address of a sender. Asked once per key and interval, since proxies make it dear; empty: the connection is gone. */
export type SenderAddress = () => string;

interface Use {
  /** Epoch milliseconds. */
  at: number;
  /** `203.0.113.0/24` or `2001:db8:85a3::/48`; null: not known. */
  readonly from: string | null;
}

export interface LastUsed {
  /** @param from left out where nothing of the user is to be kept */
  note(keyId: string, from?: SenderAddress): void;
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
  let pending = new Map<string, Use>();

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await write(database, table, uses);
    } catch (error) {
      log.warn({ err: error, keys: uses.size }, 'last use of keys could not be written; trying again');
      for (const [id, use] of uses) if (!pending.has(id) && pending.size < MAX_PENDING) pending.set(id, use);
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();

  return {
    note(keyId, from) {
      const noted = pending.get(keyId);
      if (noted !== undefined) noted.at = clock();
      else if (pending.size < MAX_PENDING)
        pending.set(keyId, { at: clock(), from: from === undefined ? null : networkOf(from()) });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function networkOf(address: string): string | null {
  const network = truncateIp(address);
  return network === null ? null : `${network}/${network.includes(':') ? 48 : 24}`;
}

/** @param uses by key id */
async function write(database: Database, table: KeyTable, uses: ReadonlyMap<string, Use>): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    // In one order on every node, or two that write at once could wait for each other.
    for (const [id, { at, from }] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await trx
        // A use of a share link has no network to write.
        .updateTable(table as Exclude<KeyTable, 'share_links'>)
        .set({ last_used_at: at, ...(from === null ? {} : { last_used_from: from }) })
        .where('id', '=', id)
        // Another node may have seen it later.
        .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute();
    }
  });
}
