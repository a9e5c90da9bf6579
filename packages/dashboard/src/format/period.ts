/** The period that a report or list is of, as an address holds it and as the service is asked for it. */
import { DAY_MS } from '@ghostlight/core/time';
import { dayOf } from './search.ts';
import { dayIn } from './time.ts';

/** What can be chosen with one press, each with its key. */
export const PRESETS = [
  { days: 1, name: 'Today', key: 'd' },
  { days: 7, name: 'Last 7 days', key: 'w' },
  { days: 30, name: 'Last 30 days', key: 'm' },
  { days: 90, name: 'Last 90 days', key: 'q' },
  { days: 365, name: 'Last 365 days', key: 'y' },
] as const;
export type Days = (typeof PRESETS)[number]['days'];
export const DEFAULT_DAYS: Days = 30;

/** Longer periods would be a chart of nothing but weeks that nobody can tell apart. */
const MAX_DAYS = 400;

export interface PeriodSearch {
  /** The last so many days of the property; left out for 30. */
  days?: Days;
  /** Days, both inside the period; together they stand over `days`. */
  from?: string;
  to?: string;
}

export type PeriodChange = { [K in keyof PeriodSearch]?: PeriodSearch[K] | undefined };

/** Reads untrusted search parameters; what names no period is left out. */
export function readPeriod(search: Record<string, unknown>): PeriodChange {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return {
    days: PRESETS.find(({ days }) => days !== DEFAULT_DAYS && days === Number(search['days']))?.days,
    ...(from !== undefined && to !== undefined && from <= to ? { from, to } : {}),
  };
}

export interface Period {
  /** First and last day, both inside. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** @param now epoch milliseconds @param timeZone in which it is today */
export function periodOf(
  { days = DEFAULT_DAYS, from, to }: PeriodSearch,
  now: number,
  timeZone = 'UTC',
): Period {
  const today = dayIn(timeZone, now);
  // An address may name days that are yet to come: there is nothing in them.
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

/** What the address says of the last so many days. */
export function lastDays(days: Days): PeriodChange {
  return { days: days === DEFAULT_DAYS ? undefined : days, from: undefined, to: undefined };
}

/** What the address says of two days and all between them. */
export function fromTo(from: string, to: string): PeriodChange {
  return { from, to, days: undefined };
}

/**
 * As many days, right before or right after. Nothing lies after today: a step that would reach it ends there, and is the preset of that
 * length where there is one.
 * @param now epoch milliseconds @param timeZone in which it is today @returns null: there is no such step
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

/** A day's name is what its midnight in UTC is called. */
function dayName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
