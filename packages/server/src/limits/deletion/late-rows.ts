/**
 * Rows of deleted properties that still wait in a spool, on whichever node: the shippers leave them out. Nearly always no property was
 * deleted lately, and then nothing is looked at.
 */
import { DAY_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';

/** Longer than any spool waits for its stores. */
export const LATE_MS = 90 * DAY_MS;
/** What is stored in this time after a deletion, the deletion's second count finds. */
const KNOWN_MS = 10_000;
const MAX_KNOWN = 10_000;

/** @returns numbers of the lines that are of a deleted property; ascending */
export type LateRows = (batch: { readonly body: Uint8Array }) => Promise<number[]>;

export function createLateRows({
  database,
  clock,
  log,
}: {
  database: Pick<Database, 'reader'>;
  clock: Clock;
  log: Log;
}): LateRows {
  let deleted: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  /** Shippers that come meanwhile wait for the same reading: what was known before it is older than they may use. */
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    const now = clock();
    try {
      const rows = await database.reader
        .selectFrom('properties')
        .select('id')
        .where('deleted_at', '>=', now - LATE_MS)
        .orderBy('deleted_at', 'desc')
        .limit(MAX_KNOWN)
        .execute();
      deleted = rows.map(({ id }) => id);
      readAt = now;
    } catch (error) {
      // Hits are shipped while the database is down; what comes in by it is found by the daily count of the deletion.
      log.warn({ err: error }, 'deleted properties could not be read; those known before are used');
    }
  };

  return async ({ body }) => {
    if (clock() - readAt >= KNOWN_MS) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    if (deleted.length === 0) return [];
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const named = new Set(deleted.filter((id) => bytes.includes(`"attribution_id":"${id}"`)));
    if (named.size === 0) return [];
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line, number) => (isOf(line, named) ? [number] : []));
  };
}

/** A page's query may contain the words too: the row's own member counts. */
function isOf(line: string, properties: ReadonlySet<string>): boolean {
  if (!line.includes('"attribution_id":"')) return false;
  try {
    return properties.has((JSON.parse(line) as { attribution_id?: string }).attribution_id ?? '');
  } catch {
    return false;
  }
}
