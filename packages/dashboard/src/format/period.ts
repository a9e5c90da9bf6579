/** The period of a report or list, in an address and as query parameters. */
import { DAY_MS } from '@ghostlight/core/time';
import { dayOf } from './search.ts';
import { dayIn } from './time.ts';

/** Presets, each with its key. */
export const PRESETS = [
  { days: 1, name: 'Today', key: 'd' },
  { days: 7, name: 'Last 7 days', key: 'w' },
  { days: 30, name: 'Last 30 days', key: 'm' },
  { days: 90, name: 'Last 90 days', key: 'q' },
  { days: 365, name: 'Last 365 days', key: 'y' },
] as const;
export type Days = (typeof PRESETS)[number]['days'];
export const DEFAULT_DAYS: Days = 30;

/** The longest period: in a longer chart, weeks would be too thin to read. */
const MAX_DAYS = 400;

export interface PeriodSearch {
  /** The last N days of the property; left out for 30. */
  days?: Days;
  /** First and last day, inclusive; both together take precedence over `days`. */
  from?: string;
  to?: string;
}

export type PeriodChange = { [K in keyof PeriodSearch]?: PeriodSearch[K] | undefined };

/** Reads untrusted search parameters; anything else is left out. */
export function readPeriod(search: Record<string, unknown>): PeriodChange {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return {
    days: PRESETS.find(({ days }) => days !== DEFAULT_DAYS && days === Number(search['days']))?.days,
    ...(from !== undefined && to !== undefined && from <= to ? { from, to } : {}),
  };
}

export interface Period {
  /** First and last day, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** @param now epoch milliseconds @param timeZone of the property */
export function periodOf(
  { days = DEFAULT_DAYS, from, to }: PeriodSearch,
  now: number,
  timeZone = 'UTC',
): Period {
  const today = dayIn(timeZone, now);
  // An address may name future days, which are empty.
  const last = to === undefined ? today : earlier(to, today);
  if (from === undefined || to === undefined || from > last)
    return { from: dayName(Date.parse(today) - (days - 1) * DAY_MS), to: today, days };
  const length = Math.min(MAX_DAYS, (Date.parse(last) - Date.parse(from)) / DAY_MS + 1);
  return { from: dayName(Date.parse(last) - (length - 1) * DAY_MS), to: last, days: length };
}

/** The parameters `from` and `to`: days of the property, both inclusive. */
export function periodQuery({ from, to }: Period): { from: string; to: string } {
  return { from, to };
}

/** The search parameters of the last N days. */
export function lastDays(days: Days): PeriodChange {
  return { days: days === DEFAULT_DAYS ? undefined : days, from: undefined, to: undefined };
}

/** The search parameters of a range of days. */
export function fromTo(from: string, to: string): PeriodChange {
  return { from, to, days: undefined };
}

/**
 * The same number of days, right before or right after. A step that would go beyond today ends there, and becomes the preset of that
 * length if there is one.
 * @param now epoch milliseconds @param timeZone of the property @returns null: there is no such step
 */
export function stepped(
  { from, to, days }: Period,
  direction: -1 | 1,
  now: number,
  timeZone = 'UTC',
): PeriodChange | null {
  const today = dayIn(timeZone, now);
  if (direction === 1 && to >= today) return null;
  const end = dayName(Date.parse(to) + direction * days * DAY_MS);
  if (end >= today) {
    const preset = PRESETS.find((one) => one.days === days);
    if (preset !== undefined) return lastDays(preset.days);
  }
  const last = earlier(end, today);
  const first =
    direction === -1
      ? dayName(Date.parse(from) - days * DAY_MS)
      : dayName(Date.parse(last) - (days - 1) * DAY_MS);
  return fromTo(first, last);
}

/** `21 Nov 2026`, `1 – 7 Nov 2026`, `23 Oct – 21 Nov 2026`. */
export function rangeLabel({ from, to }: Pick<Period, 'from' | 'to'>): string {
  return RANGE.formatRange(Date.parse(from), Date.parse(to));
}

const RANGE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Of two days, as text. */
const earlier = (one: string, other: string): string => (one < other ? one : other);

/** Epoch milliseconds of a day's midnight in UTC. */
function dayName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
