/**
 * Periods by name, and the days that a period is compared with. Days are numbers counted from 1970-01-01, as a calendar has them, whatever the
 * time zone: the caller says which day today is. Weeks begin on Monday (ISO 8601).
 */
import { DAY_MS } from './time.ts';

/** Every period that has a name, in the order in which they are offered. */
export const PERIOD_NAMES = [
  ...(['today', 'yesterday', 'last_7_days', 'last_30_days', 'last_90_days', 'last_365_days'] as const),
  ...(['this_week', 'last_week', 'this_month', 'last_month'] as const),
  ...(['this_quarter', 'last_quarter', 'this_year', 'last_year'] as const),
] as const;
export type PeriodName = (typeof PERIOD_NAMES)[number];

/** `previous`: the period before. `year`: as many days, from the same date of the year before on. */
export const COMPARISONS = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof COMPARISONS)[number];

/** First and last day, both inside. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

const UNITS = ['week', 'month', 'quarter', 'year'] as const;
/** A stretch of the calendar: a month has no fixed number of days. */
export type CalendarUnit = (typeof UNITS)[number];

/** The days of a named period. One that is running ends today. */
export function daysOfPeriod(name: PeriodName, today: number): DayRange {
  if (name === 'today') return { from: today, to: today };
  if (name === 'yesterday') return { from: today - 1, to: today - 1 };
  const unit = unitOfName(name);
  if (unit === null) return { from: today - Number(/\d+/.exec(name)?.[0]) + 1, to: today };
  const from = startOfUnit(today, unit);
  return name.startsWith('this') ? { from, to: today } : { from: startOfUnit(from - 1, unit), to: from - 1 };
}

/** The calendar unit that a name is about; null: it is about a number of days. */
export const unitOfName = (name: PeriodName): CalendarUnit | null =>
  UNITS.find((unit) => name.endsWith(`_${unit}`)) ?? null;

/** The unit that a range is, from its first day to its last: 1 to 31 October is a month. */
export const unitOfRange = ({ from, to }: DayRange): CalendarUnit | null =>
  UNITS.find(
    (unit) =>
      startOfUnit(from, unit) === from &&
      startOfUnit(to + 1, unit) === to + 1 &&
      startOfUnit(to, unit) === from,
  ) ?? null;

/** The unit that begins on a day; null: none does. */
export function unitBeginningAt(day: number, unit: CalendarUnit): DayRange | null {
  return startOfUnit(day, unit) === day ? { from: day, to: endOfUnit(day, unit) } : null;
}

/** Longer than the unit and shorter than two of it. */
const BEYOND: Readonly<Record<CalendarUnit, number>> = { week: 7, month: 40, quarter: 100, year: 400 };

/** Its last day. @param day any of it */
export const endOfUnit = (day: number, unit: CalendarUnit): number =>
  startOfUnit(startOfUnit(day, unit) + BEYOND[unit], unit) - 1;

export function startOfUnit(day: number, unit: CalendarUnit): number {
  // 1 January 1970 was a Thursday.
  if (unit === 'week') return day - ((((day + 3) % 7) + 7) % 7);
  const date = new Date(day * DAY_MS);
  const month = { month: date.getUTCMonth(), quarter: Math.floor(date.getUTCMonth() / 3) * 3, year: 0 }[unit];
  return Date.UTC(date.getUTCFullYear(), month, 1) / DAY_MS;
}

/**
 * The first day of what a period is compared with. A whole unit of the calendar is compared with a whole one; anything else day by day from
 * there on, for at most as many days as lie between both first days: 1 to 30 March, while it is the 30th, has no counterpart in February
 * for its last two. Across 29 February a year's last date is another: 20 February to 5 March 2028 is compared with 20 February to 6 March 2027.
 * @param unit of the calendar that the period is, or is the beginning of; its counterpart is the unit before
 */
export function comparedFrom(
  { from, to }: DayRange,
  kind: Exclude<ComparisonKind, 'none'>,
  unit: CalendarUnit | null,
): number {
  if (kind === 'previous') return unit === null ? from - (to - from + 1) : startOfUnit(from - 1, unit);
  const date = new Date(from * DAY_MS);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  // 29 February begins the year's 28th there: the last day of the same month.
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / DAY_MS;
}

/** The longest period that has hours, in days. */
export const MOST_DAYS_OF_HOURS = 7;
