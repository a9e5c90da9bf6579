/** The lists of bots, ranges and keys, in words: what each is for, and whether it is current. */
import { FRESH_DAYS } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { instant } from '../../format/time.ts';

interface ListGroup {
  readonly title: string;
  /** What its lists hold, in one word. */
  readonly unit: string;
  /** The same of a list that has none yet. */
  readonly content: string;
  readonly holds: (source: ListSource) => boolean;
}

/** In the order of the page. */
export const LIST_GROUPS: readonly ListGroup[] = [
  { title: 'Names of AI bots', unit: 'bot', content: 'Bot names', holds: ({ kind }) => kind === 'list' },
  {
    title: 'Addresses of AI bots',
    unit: 'range',
    content: 'AI bot addresses',
    holds: ({ kind, search_crawlers }) => kind === 'ranges' && !search_crawlers,
  },
  {
    title: 'Addresses of search crawlers',
    unit: 'range',
    content: 'Search crawler addresses',
    holds: ({ kind, search_crawlers }) => kind === 'ranges' && search_crawlers,
  },
  {
    title: 'Keys of bots that sign their requests',
    unit: 'key',
    content: 'Signing keys',
    holds: ({ kind }) => kind === 'keys',
  },
];

export const contentOf = (source: ListSource): string =>
  LIST_GROUPS.find(({ holds }) => holds(source))?.content ?? source.kind;

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

/** UTC days, as verification counts them. */
const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

/** How old a list that is in use is; a copy of the release has the day of its source. @param now epoch milliseconds */
export function ageOf(source: ListSource, now: number): { tone: 'wait' | null; title: string } {
  const at = instant(source.fetched_at ?? copiedOn(source));
  if (at === null) return { tone: 'wait', title: 'Day unknown' };
  const days = dayNumber(now) - dayNumber(at);
  const title = days < 1 ? 'Today' : days === 1 ? 'Yesterday' : `${days} days ago`;
  return { tone: isOld(source, now) ? 'wait' : null, title };
}

/** What needs a look comes first: failed ones, those that have nothing yet, then the oldest. */
export function byAge(sources: readonly ListSource[]): ListSource[] {
  const rank = (source: ListSource) => (source.error !== null ? 0 : isUnread(source) ? 1 : 2);
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

/** Worst first: what has several faults is counted by its worst. Each says its consequence. */
const FAULTS: readonly {
  readonly has: (source: ListSource, now: number) => boolean;
  /** After the count of one list, and of more. */
  readonly one: string;
  readonly many: string;
}[] = [
  {
    has: ({ error }) => error !== null,
    one: 'could not be updated: the reason is below it.',
    many: 'could not be updated: the reason is below each.',
  },
  {
    has: isOld,
    one: `is older than ${FRESH_DAYS} days: it still confirms real bots, but can’t mark fakes.`,
    many: `are older than ${FRESH_DAYS} days: they still confirm real bots, but can’t mark fakes.`,
  },
  {
    has: isUnread,
    one: 'isn’t loaded, so visits from its bots can’t be checked against it.',
    many: 'aren’t loaded, so visits from their bots can’t be checked against them.',
  },
];

/** All lists in a sentence or two, each counted once. @param now epoch milliseconds */
export function stateOfLists(
  sources: readonly ListSource[],
  now: number,
): { title: string; isCurrent: boolean } {
  const worst = sources.map((source) => FAULTS.find(({ has }) => has(source, now)));
  const lists = counted(sources.length, 'list');
  if (worst.every((fault) => fault === undefined)) return { title: `${lists}, all current`, isCurrent: true };
  const said = FAULTS.map((fault) => ({ ...fault, count: worst.filter((one) => one === fault).length }))
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => `${count} of ${lists} ${count === 1 ? one : many}`);
  return { title: said.join(' '), isCurrent: false };
}
