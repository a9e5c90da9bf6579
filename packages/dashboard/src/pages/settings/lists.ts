/** The lists of bots, ranges and keys, in words: what each is for, and whether it is current. */
import { FRESH_DAYS } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { instant } from '../../format/time.ts';
import type { Tone } from '../../parts/Sign.tsx';

interface ListGroup {
  readonly title: string;
  /** What its lists hold, in one word. */
  readonly unit: string;
  readonly holds: (source: ListSource) => boolean;
}

/** In the order of the page. */
export const LIST_GROUPS: readonly ListGroup[] = [
  { title: 'Names of AI bots', unit: 'bot', holds: ({ kind }) => kind === 'list' },
  {
    title: 'Addresses of AI bots',
    unit: 'range',
    holds: ({ kind, search_crawlers }) => kind === 'ranges' && !search_crawlers,
  },
  {
    title: 'Addresses of search crawlers',
    unit: 'range',
    holds: ({ kind, search_crawlers }) => kind === 'ranges' && search_crawlers,
  },
  { title: 'Keys of bots that sign their requests', unit: 'key', holds: ({ kind }) => kind === 'keys' },
];

export const listName = ({ bots }: ListSource): string =>
  bots.length === 0 ? 'All AI bots' : bots.join(', ');

/** The day of the release's copy, while it is in use; null: there is none, or it names no day. */
const copiedOn = ({ as_of }: ListSource): string | null =>
  // The source writes it in any form; only a day is shown.
  /\d{4}-\d\d-\d\d/.exec(as_of ?? '')?.[0] ?? null;

/** Neither read nor built in: it has nothing yet. */
export const isUnread = ({ entries, fetched_at }: ListSource): boolean =>
  entries === 0 && fetched_at === null;

/** Its ranges prove a visit still, and refute none: as verification counts, by the UTC day of the reading. @param now epoch milliseconds */
export function isOld(source: ListSource, now: number): boolean {
  if (isUnread(source)) return false;
  const day = instant(source.fetched_at?.slice(0, 'YYYY-MM-DD'.length) ?? copiedOn(source));
  return day === null || now >= day + (FRESH_DAYS + 1) * DAY_MS;
}

/** How old the list in use is; a copy of the release has the day of its source. @param now epoch milliseconds */
export function ageOf(source: ListSource, now: number): { tone: 'wait' | 'off' | null; title: string } {
  if (isUnread(source)) return { tone: 'off', title: 'Not read yet' };
  const at = instant(source.fetched_at ?? copiedOn(source));
  if (at === null) return { tone: 'wait', title: 'Age unknown' };
  const days = Math.floor((now - at) / DAY_MS);
  const title = days < 1 ? 'Under a day old' : `${counted(days, 'day')} old`;
  return { tone: isOld(source, now) ? 'wait' : null, title };
}

/** What needs a look comes first: failed ones, then the oldest; what has nothing yet is last. */
export function byAge(sources: readonly ListSource[]): ListSource[] {
  const rank = (source: ListSource) => (source.error !== null ? 0 : isUnread(source) ? 2 : 1);
  const readAt = (source: ListSource) => instant(source.fetched_at ?? copiedOn(source)) ?? 0;
  return sources.toSorted((a, b) => rank(a) - rank(b) || readAt(a) - readAt(b));
}

/** When a source was last tried, with or without success; null: none ever was. */
export const lastTried = (sources: readonly ListSource[]): string | null =>
  sources.reduce<string | null>(
    (last, { checked_at }) =>
      checked_at !== null && (last === null || checked_at > last) ? checked_at : last,
    null,
  );

/** Worst first: what has several faults is counted by its worst. */
const FAULTS: readonly {
  readonly what: string;
  readonly has: (source: ListSource, now: number) => boolean;
}[] = [
  { what: 'could not be refreshed', has: ({ error }) => error !== null },
  { what: `older than ${FRESH_DAYS} days`, has: isOld },
  { what: 'not read yet', has: isUnread },
];

/** All lists in one line, each counted once. @param now epoch milliseconds */
export function stateOfLists(
  sources: readonly ListSource[],
  now: number,
): { tone: Tone; title: string; isCurrent: boolean } {
  const worst = sources.map((source) => FAULTS.find(({ has }) => has(source, now)));
  const lists = counted(sources.length, 'list');
  if (worst.every((fault) => fault === undefined))
    return { tone: 'good', title: `${lists}, all current`, isCurrent: true };
  const said = FAULTS.map((fault) => ({ ...fault, count: worst.filter((one) => one === fault).length }))
    .filter(({ count }) => count > 0)
    .map(({ count, what }) => `${count} ${what}`)
    .join(', ');
  return { tone: 'wait', title: `${lists}: ${said}`, isCurrent: false };
}
