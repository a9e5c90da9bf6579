/** Why a page of the sitemap was likely not read, in words. */
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import type { UnreadItem } from './kinds.ts';

export type Known = Pick<
  UnreadItem,
  'last_read' | 'reason' | 'last_requested' | 'last_status' | 'blocked' | 'blocked_bots'
>;

/** Names that are said; of more, the number is. */
const MOST_NAMES = 3;

export function reasonOf(item: Known): string {
  const { reason, last_status: status, last_requested: day, last_read: read } = item;
  const on = day === null ? '' : ` on ${dayLabel(day, true)}`;
  switch (reason) {
    case 'blocked':
      return `robots.txt blocks it for ${item.blocked === 1 ? botsOf(item) : 'all bots'}`;
    case 'failed':
      return `Failed with ${status} when last requested${on}`;
    case 'redirected':
      return `Redirected (${status}) when last requested${on}`;
    case 'read_before':
      return `Last read${read === null ? '' : ` on ${dayLabel(read, true)}`}; bots rarely visit it`;
    case 'blocked_for_some':
      return `Never requested; robots.txt blocks it for ${botsOf(item)}`;
    case 'never_requested':
      return 'Never requested';
  }
}

/** Beside the day of the last request. */
export function briefReasonOf(item: Known): string {
  const { reason, last_status: status, last_requested: day, last_read: read } = item;
  // The list has the day of the last request; that of the last reading is another one if the request failed.
  const before = read === null || read === day ? '' : `; last read on ${dayLabel(read, true)}`;
  switch (reason) {
    case 'failed':
      return `Failed with ${status}${before}`;
    case 'redirected':
      return `Redirected (${status})${before}`;
    case 'read_before':
      return `Read that day${before}; bots rarely visit it`;
    case 'blocked_for_some':
      return `robots.txt blocks it for ${botsOf(item)}`;
    case 'never_requested':
      return 'New, or no page links to it';
    case 'blocked':
      return reasonOf(item);
  }
}

/** `GPTBot, ClaudeBot and 12 more bots`. */
export function botsOf({ blocked, blocked_bots: names }: Pick<Known, 'blocked' | 'blocked_bots'>): string {
  const said = names.slice(0, names.length === MOST_NAMES + 1 ? names.length : MOST_NAMES);
  const others = (blocked ?? 0) - said.length;
  const last = others > 0 ? counted(others, 'more bot') : said.pop();
  return [said.join(', '), last].filter((part) => part !== undefined && part !== '').join(' and ');
}

/** What robots.txt says of the listed pages. */
export function robotsText(items: readonly Pick<Known, 'blocked'>[]): string {
  if (items.some(({ blocked }) => blocked === null)) return 'robots.txt could not be read';
  const count = items.filter(({ blocked }) => Number(blocked) > 0).length;
  return count === 0
    ? 'robots.txt doesn’t block them'
    : `robots.txt blocks ${counted(count, 'page')} for some bots`;
}
