/** Reading the Live window, page by page, bounded. */
import { LIVE_LIMIT, type LiveHit, type LivePage, type LiveRequest } from '../warehouse/index.ts';
import type { LiveFilter } from './filter.ts';

/** A property's newest arrivals: the warehouse's `liveHits`, bound to it. */
export type ReadLive = (request: LiveRequest, signal?: AbortSignal) => Promise<LivePage>;

/** Pages of 500 that one call reads at most: 10,000 arrivals. */
const MAX_PAGES = 20;

export interface Found {
  /** Newest arrival first. */
  readonly hits: LiveHit[];
  readonly cursor: number;
  /** The bound was reached: older arrivals were not looked at. */
  readonly cut: boolean;
}

/** @param limit stop when this many were found */
export async function readMatching(
  read: ReadLive,
  filter: LiveFilter,
  { after, limit, seen }: { after?: number | undefined; limit: number; seen?: readonly string[] },
  signal?: AbortSignal,
): Promise<Found> {
  const hits: LiveHit[] = [];
  const fixed: LiveRequest = {
    ...filter,
    ...(after === undefined ? {} : { after }),
    ...(seen === undefined ? {} : { seen }),
  };
  let cursor = after ?? 0;
  let before: LiveRequest['before'];
  for (let page = 0; page < MAX_PAGES; page++) {
    const pageLimit = Math.min(limit - hits.length, LIVE_LIMIT);
    const {
      items,
      more,
      cursor: newest,
    } = await read({ ...fixed, limit: pageLimit, ...(before === undefined ? {} : { before }) }, signal);
    cursor = Math.max(cursor, newest);
    hits.push(...items);
    const last = items.at(-1);
    if (hits.length >= limit || !more || last === undefined) {
      return { hits: hits.slice(0, limit), cursor, cut: more };
    }
    before = { received_at: last.received_at, id: last.id };
  }
  return { hits, cursor, cut: true };
}
