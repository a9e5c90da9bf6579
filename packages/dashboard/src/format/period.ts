/** The period of a report or list and what it is compared with, in an address and as query parameters. The arithmetic of days is core's. */
import {
  type CalendarUnit,
  type ComparisonKind,
  comparedFrom,
  type DayRange,
  daysOfPeriod,
  endOfUnit,
  PERIOD_NAMES,
  type PeriodName,
  startOfUnit,
  unitOfName,
  unitOfRange,
} from '@ghostlight/core/periods';
import { DAY_MS } from '@ghostlight/core/time';
import { compact, dayOf, oneOf } from './search.ts';
import { dayIn } from './time.ts';

export type { PeriodName };

export const DEFAULT_PERIOD: PeriodName = 'last_30_days';

/** The periods to choose from, in groups as they are offered, some with a key. */
export const PRESETS: readonly {
  readonly name: PeriodName;
  readonly label: string;
  readonly key?: string;
}[] = [
  { name: 'today', label: 'Today', key: 'd' },
  { name: 'yesterday', label: 'Yesterday' },
  { name: 'last_7_days', label: 'Last 7 days', key: 'w' },
  { name: 'last_30_days', label: 'Last 30 days', key: 'm' },
  { name: 'last_90_days', label: 'Last 90 days', key: 'q' },
  { name: 'last_365_days', label: 'Last 365 days', key: 'y' },
  { name: 'this_week', label: 'This week' },
  { name: 'last_week', label: 'Last week' },
  { name: 'this_month', label: 'This month' },
  { name: 'last_month', label: 'Last month' },
  { name: 'this_quarter', label: 'This quarter' },
  { name: 'last_quarter', label: 'Last quarter' },
  { name: 'this_year', label: 'This year' },
  { name: 'last_year', label: 'Last year' },
];
const LABELS = new Map(PRESETS.map(({ name, label }) => [name, label]));

/** What a period is compared with. */
export const COMPARISONS: readonly { readonly kind: ComparisonKind; readonly label: string }[] = [
  { kind: 'previous', label: 'Previous period' },
  { kind: 'year', label: 'Same period last year' },
  { kind: 'none', label: 'No comparison' },
];

/** The longest period: in a longer chart, weeks would be too thin to read. */
export const MAX_DAYS = 400;

/** The first day of the longest period that ends on a day. */
export const earliestOf = (to: string): string => dateOf(numberOf(to) - MAX_DAYS + 1);

export interface PeriodSearch {
  /** By name; left out for the last 30 days. */
  period?: PeriodName;
  /** First and last day, inclusive; both together take precedence over the name. */
  from?: string;
  to?: string;
  /** Left out for the previous period. */
  compare?: Exclude<ComparisonKind, 'previous'>;
}

export type PeriodChange = { [K in keyof PeriodSearch]?: PeriodSearch[K] | undefined };

/** Addresses of earlier versions: the last N days. */
const BY_DAYS: Readonly<Record<string, PeriodName>> = {
  1: 'today',
  7: 'last_7_days',
  90: 'last_90_days',
  365: 'last_365_days',
};

/** Reads untrusted search parameters; anything else is left out. */
export function readPeriod(search: Record<string, unknown>): PeriodSearch {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  const compare = oneOf(['year', 'none'] as const, search['compare']);
  // In whichever order they were written.
  if (from !== undefined && to !== undefined)
    return compact<PeriodSearch>({ ...(from <= to ? { from, to } : { from: to, to: from }), compare });
  const named = oneOf(PERIOD_NAMES, search['period']) ?? BY_DAYS[String(search['days'])];
  return compact<PeriodSearch>({ period: named === DEFAULT_PERIOD ? undefined : named, compare });
}

/** The part of a page's search that every page with a period has. */
export const periodIn = ({ period, from, to, compare }: PeriodSearch): PeriodSearch =>
  compact<PeriodSearch>({ period, from, to, compare });

/** First and last day, inclusive. */
export interface DayPair {
  readonly from: string;
  readonly to: string;
}

export interface Period extends DayPair {
  readonly days: number;
  /** null: days that were chosen. */
  readonly name: PeriodName | null;
  /** The part of the calendar that it is, or is the beginning of. */
  readonly unit: CalendarUnit | null;
  /** Its last day is today. */
  readonly isRunning: boolean;
  readonly compare: ComparisonKind;
  /** A sentence where the address asks for other days than these; null: these are the days. */
  readonly note: string | null;
}

/** @param now epoch milliseconds @param timeZone of the property */
export function periodOf(search: PeriodSearch, now: number, timeZone = 'UTC'): Period {
  const { period: name = DEFAULT_PERIOD, from, to, compare = 'previous' } = search;
  const today = numberOf(dayIn(timeZone, now));
  // An address may name future days, which are empty.
  const last = to === undefined ? today : Math.min(numberOf(to), today);
  const isChosen = from !== undefined && to !== undefined && numberOf(from) <= last;
  const range: DayRange = isChosen
    ? { from: Math.max(numberOf(from), last - MAX_DAYS + 1), to: last }
    : daysOfPeriod(name, today);
  const asked = from === undefined || to === undefined ? null : { from, to };
  return {
    from: dateOf(range.from),
    to: dateOf(range.to),
    days: range.to - range.from + 1,
    name: isChosen ? null : name,
    unit: isChosen ? unitOfRange(range) : unitOfName(name),
    isRunning: range.to === today,
    compare,
    note: asked === null ? null : noteOf(asked, range, today),
  };
}

/** Why other days are shown than were asked for; null: they are the same. @param today counted from 1970-01-01 */
function noteOf(asked: DayPair, shown: DayRange, today: number): string | null {
  const days = rangeLabel(asked);
  if (numberOf(asked.from) > today) return `${days} is in the future. Showing the last 30 days instead.`;
  if (numberOf(asked.from) < shown.from)
    return `${days} is longer than ${MAX_DAYS} days. Showing the last ${MAX_DAYS} of them.`;
  return numberOf(asked.to) > today ? `${days} ends in the future. Showing the days up to today.` : null;
}

/** The parameters `from` and `to`: days of the property, both inclusive. */
export function periodQuery({ from, to }: DayPair): { from: string; to: string } {
  return { from, to };
}

/** The parameters of a report that is compared. A month is compared with the month before, not with as many days. */
export function comparisonQuery(period: Period): Record<string, string> {
  const { compare, unit } = period;
  if (compare !== 'previous' || unit === null) return { compare };
  return { compare, compare_from: dateOf(comparedFrom(rangeOf(period), compare, unit)) };
}

/** The search parameters of a named period. */
export function named(name: PeriodName): PeriodChange {
  return { period: name === DEFAULT_PERIOD ? undefined : name, from: undefined, to: undefined };
}

/** The search parameters of a range of days. */
export function fromTo(from: string, to: string): PeriodChange {
  return { from, to, period: undefined };
}

/**
 * The period right before or right after: the same number of days, or of a calendar the month (week, quarter, year). A step that would go
 * beyond today ends there; days that have a name get it.
 * @param now epoch milliseconds @param timeZone of the property @returns null: there is no such step
 */
export function stepped(
  period: Period,
  direction: -1 | 1,
  now: number,
  timeZone = 'UTC',
): PeriodChange | null {
  const today = numberOf(dayIn(timeZone, now));
  const { from, to } = rangeOf(period);
  if (direction === 1 && to >= today) return null;
  const { unit, days } = period;
  const range = unit === null ? byDays({ from, to, days }, direction, today) : byUnit(from, unit, direction);
  const cut = { from: range.from, to: Math.min(range.to, today) };
  const fitting = PRESETS.filter(({ name }) => {
    const of = daysOfPeriod(name, today);
    return of.from === cut.from && of.to === cut.to;
  });
  const name = (fitting.find((one) => unitOfName(one.name) === unit) ?? fitting[0])?.name;
  return name === undefined ? fromTo(dateOf(cut.from), dateOf(cut.to)) : named(name);
}

function byDays({ from, to, days }: DayRange & { days: number }, direction: -1 | 1, today: number): DayRange {
  if (direction === -1) return { from: from - days, to: to - days };
  const last = Math.min(to + days, today);
  return { from: last - days + 1, to: last };
}

function byUnit(from: number, unit: CalendarUnit, direction: -1 | 1): DayRange {
  const first = direction === -1 ? startOfUnit(from - 1, unit) : endOfUnit(from, unit) + 1;
  return { from: first, to: endOfUnit(first, unit) };
}

/** `Last 30 days`, `This month so far`, `1 – 7 Nov 2026`. */
export function periodLabel(period: Period): string {
  const { name, unit, isRunning } = period;
  if (name === null) return rangeLabel(period);
  // Of today that goes without saying.
  const isSoFar = isRunning && unit !== null;
  return `${LABELS.get(name) ?? ''}${isSoFar ? ' so far' : ''}`;
}

/** `21 Nov 2026`, `1 – 7 Nov 2026`, `23 Oct – 21 Nov 2026`. */
export function rangeLabel({ from, to }: DayPair): string {
  return RANGE.formatRange(Date.parse(from), Date.parse(to));
}

/** The days of a named period, in the year of today without the year: `1 – 28 Nov`. @param today a day */
export function daysLabel(name: PeriodName, today: string): string {
  const { from, to } = daysOfPeriod(name, numberOf(today));
  const year = today.slice(0, 4);
  const isThisYear = dateOf(from).startsWith(year) && dateOf(to).startsWith(year);
  return (isThisYear ? SHORT_RANGE : RANGE).formatRange(from * DAY_MS, to * DAY_MS);
}

/** What a range of days is compared with, before it or a year before; null: nothing. Today is not over, so it has no counterpart. */
export function comparedDays({ from, to }: DayPair, compare: ComparisonKind, today: string): DayPair | null {
  if (compare === 'none') return null;
  const range = rangeOf({ from, to });
  const first = comparedFrom(range, compare, unitOfRange(range));
  const days = range.to - range.from + (to === today ? 0 : 1);
  if (days === 0) return null;
  return { from: dateOf(first), to: dateOf(Math.min(first + days, range.from) - 1) };
}

/** `on this day`, `in these 30 days`: a period after what is counted in it. */
export const inTheseDays = (days: number): string => (days === 1 ? 'on this day' : `in these ${days} days`);

const SHORT = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const SHORT_RANGE = new Intl.DateTimeFormat('en-GB', SHORT);
const RANGE = new Intl.DateTimeFormat('en-GB', { ...SHORT, year: 'numeric' });

const rangeOf = ({ from, to }: DayPair): DayRange => ({
  from: numberOf(from),
  to: numberOf(to),
});
/** Days counted from 1970-01-01. */
const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
