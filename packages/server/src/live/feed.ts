/**
 * One property's arrivals as they come, read once for all its readers. A row may become visible later than one that arrived after it
 * (another node's shipper), so each read covers the last 10 s again and leaves out what it has already sent.
 */
import type { Clock, Log } from '../common/index.ts';
import { LIVE_OVERLAP_MS, type LiveHit } from '../warehouse/index.ts';
import { type ReadLive, readMatching } from './reader.ts';

/** Arrivals within the overlap that are remembered; beyond it the oldest are dropped and might be sent twice. */
const MAX_TOLD = 50_000;
const MAX_ROWS = 10_000;

export interface Feed {
  /** One look; also tells the listeners. Looks never overlap. */
  look(): Promise<void>;
  /**
   * Counts what is visible now as sent: readers fetch their past themselves, after this. Without it the first look would tell a busy
   * property's whole overlap again, thousands of rows at once. @throws when the warehouse can't be read
   */
  begin(): Promise<void>;
}

/** @param tell gets new arrivals, oldest first; `cut` says that older ones were left out */
export function createFeed(
  read: ReadLive,
  tell: (hits: readonly LiveHit[], cut: boolean) => void,
  { clock, log }: { clock: Clock; log: Log },
): Feed {
  /** id → arrival */
  const told = new Map<string, number>();
  let cursor = clock();
  let looking: Promise<void> | null = null;

  /** What became visible since the last time, oldest first. */
  const news = async (): Promise<{ fresh: LiveHit[]; cut: boolean }> => {
    const seen = [...told].sort((a, b) => a[1] - b[1]).map(([id]) => id);
    const found = await readMatching(read, {}, { after: cursor, limit: MAX_ROWS, seen });
    const fresh = found.hits.filter(({ id }) => !told.has(id)).reverse();
    for (const { id, received_at } of fresh) told.set(id, received_at);
    cursor = Math.max(cursor, found.cursor);
    for (const [id, at] of told) {
      if (at < cursor - LIVE_OVERLAP_MS || told.size > MAX_TOLD) told.delete(id);
    }
    return { fresh, cut: found.cut };
  };
  const look = async (): Promise<void> => {
    try {
      const { fresh, cut } = await news();
      if (fresh.length > 0 || cut) tell(fresh, cut);
    } catch (error) {
      // The warehouse restarts: the next look reads from the same cursor, so nothing is missed.
      log.debug({ err: error }, 'Live could not be read');
    }
  };
  return {
    async begin() {
      await news();
    },
    look() {
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}
