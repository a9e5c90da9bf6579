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

/** How every row of a spool has its property: as `JSON.stringify` writes it. */
const NAME = Buffer.from('"attribution_id":"');
const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** @returns numbers of the lines that are of a deleted property; ascending */
export type LateRows = (batch: { readonly body: Uint8Array }) => Promise<number[]>;

/** Never throws: while the database is down, the deletions known before count. Its cost is one pass over the batch, however many there are. */
export function createLateRows({
  database,
  clock,
  log,
}: {
  database: Pick<Database, 'reader'>;
  clock: Clock;
  log: Log;
}): LateRows {
  let deleted: ReadonlySet<string> = new Set();
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
      deleted = new Set(rows.map(({ id }) => id));
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
    if (deleted.size === 0) return [];
    return linesOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength), deleted);
  };
}

function linesOf(bytes: Buffer, properties: ReadonlySet<string>): number[] {
  const found: number[] = [];
  let [line, start] = [0, 0];
  for (let at = bytes.indexOf(NAME); at !== -1; ) {
    const value = at + NAME.length;
    const end = bytes.indexOf(QUOTE, value);
    if (end === -1) break;
    let next = value;
    if (properties.has(bytes.toString('latin1', value, end))) {
      for (let feed = bytes.indexOf(LINE_FEED, start); feed !== -1 && feed < at; ) {
        [line, start] = [line + 1, feed + 1];
        feed = bytes.indexOf(LINE_FEED, start);
      }
      const feed = bytes.indexOf(LINE_FEED, value);
      const stop = feed === -1 ? bytes.length : feed;
      if (isOf(bytes.toString('utf8', start, stop), properties)) {
        found.push(line);
        next = stop;
      }
    }
    at = bytes.indexOf(NAME, next);
  }
  return found;
}

/** A page's query may contain the words too: the row's own member counts. */
function isOf(line: string, properties: ReadonlySet<string>): boolean {
  try {
    return properties.has((JSON.parse(line) as { attribution_id?: string }).attribution_id ?? '');
  } catch {
    return false;
  }
}
