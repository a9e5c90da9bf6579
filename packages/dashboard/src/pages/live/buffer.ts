/**
 * The rows of the Live view: newest first, without duplicates, bounded, thirty minutes long. While paused, new rows are buffered, so
 * that the list does not move. Pure: the same events always give the same rows.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { LiveItem } from '../../api/types.ts';
import { instant } from '../../format/time.ts';

export const WINDOW_MS = 30 * MINUTE_MS;
/** The most rows: more than people read, and few enough for the browser. */
export const MAX_ROWS = 2_000;

export interface LiveRow {
  readonly item: LiveItem;
  /** Epoch milliseconds of the visit. */
  readonly at: number;
  /** Epoch milliseconds of arrival; the window runs on this. */
  readonly arrived: number;
  /** Arrived while the page was open, so it is animated. */
  readonly fresh: boolean;
}

export interface LiveBuffer {
  readonly rows: readonly LiveRow[];
  readonly waiting: readonly LiveRow[];
  readonly paused: boolean;
  /** Whether the first answer is in. */
  readonly loaded: boolean;
}

export type LiveAction =
  | { type: 'snapshot'; items: readonly LiveItem[]; now: number }
  | { type: 'arrived'; items: readonly LiveItem[]; now: number }
  | { type: 'tick'; now: number }
  | { type: 'pause' }
  | { type: 'resume' };

export const EMPTY_BUFFER: LiveBuffer = { rows: [], waiting: [], paused: false, loaded: false };

export function reduceLive(buffer: LiveBuffer, action: LiveAction): LiveBuffer {
  switch (action.type) {
    case 'snapshot':
      // After the first, a snapshot only adds rows (polling, reconnect).
      return { ...arrive(buffer, action.items, action.now, buffer.loaded), loaded: true };
    case 'arrived':
      return { ...arrive(buffer, action.items, action.now, true), loaded: true };
    case 'tick': {
      const rows = inWindow(buffer.rows, action.now);
      const waiting = inWindow(buffer.waiting, action.now);
      const same = rows.length === buffer.rows.length && waiting.length === buffer.waiting.length;
      return same ? buffer : { ...buffer, rows, waiting };
    }
    case 'pause':
      return { ...buffer, paused: true };
    case 'resume':
      return { ...buffer, paused: false, rows: join(buffer.waiting, buffer.rows), waiting: [] };
  }
}

function arrive(buffer: LiveBuffer, items: readonly LiveItem[], now: number, fresh: boolean): LiveBuffer {
  const known = new Set([...buffer.rows, ...buffer.waiting].map((row) => row.item.id));
  const added: LiveRow[] = [];
  for (const item of items) {
    if (known.has(item.id)) continue;
    known.add(item.id);
    const at = instant(item.at) ?? now;
    added.push({ item, at, arrived: instant(item.received_at) ?? (fresh ? now : at), fresh });
  }
  if (added.length === 0) return buffer;
  return buffer.paused
    ? { ...buffer, waiting: join(added, buffer.waiting) }
    : { ...buffer, rows: join(added, buffer.rows) };
}

/** Whether a visit was before the time that is counted, though it arrived within it. @param since epoch milliseconds; null: not known yet */
export const isEarlier = ({ at }: Pick<LiveRow, 'at'>, since: number | null): boolean =>
  since !== null && at <= since;

/** As they are listed: earlier ones last. */
export const asListed = (rows: readonly LiveRow[], since: number | null): LiveRow[] => [
  ...rows.filter((row) => !isEarlier(row, since)),
  ...rows.filter((row) => isEarlier(row, since)),
];

function join(newer: readonly LiveRow[], older: readonly LiveRow[]): LiveRow[] {
  return [...newer, ...older].sort((a, b) => b.arrived - a.arrived || b.at - a.at).slice(0, MAX_ROWS);
}

function inWindow(rows: readonly LiveRow[], now: number): readonly LiveRow[] {
  return rows.filter((row) => row.arrived >= now - WINDOW_MS);
}
