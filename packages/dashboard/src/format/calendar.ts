/** Months of a calendar, and days as people type them. Days are `2026-11-23`, months `2026-11`; a week begins on Monday. */
import { DAY_MS } from '@ghostlight/core/time';
import { dayLabel } from './time.ts';

const WEEK = 7;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export const monthOf = (day: string): string => day.slice(0, 7);

/** @param by months, negative for earlier ones */
export function monthAfter(month: string, by = 1): string {
  const first = new Date(`${month}-01`);
  first.setUTCMonth(first.getUTCMonth() + by);
  return first.toISOString().slice(0, 7);
}

/** @param by days, negative for earlier ones */
export const dayAfter = (day: string, by = 1): string =>
  new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);

/** Both are counted. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** The weeks of a month; null: a day of the month before or after. */
export function weeksOf(month: string): readonly (readonly (string | null)[])[] {
  const first = `${month}-01`;
  const before = (new Date(first).getUTCDay() + 6) % WEEK;
  const count = daysBetween(first, dayAfter(`${monthAfter(month)}-01`, -1));
  return Array.from({ length: Math.ceil((before + count) / WEEK) }, (_, week) =>
    Array.from({ length: WEEK }, (_, weekday) => {
      const at = week * WEEK + weekday - before;
      return at >= 0 && at < count ? dayAfter(first, at) : null;
    }),
  );
}

/** `November 2026`. */
export const monthLabel = (month: string): string => MONTH.format(Date.parse(`${month}-01`));

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `23 Nov 2026`, as the field of a day shows it. */
export const typedOf = (day: string): string => dayLabel(day, true);

/** A day as it is typed: `23 Nov 2026`, `23 november 2026`, `2026-11-23`. null: it is none. */
export function dayOfTyped(text: string): string | null {
  const [, year, month, date] =
    /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text.trim()) ??
    ofWords(/^(\d\d?) ([a-z]{3,9})\.? (\d{4})$/i.exec(text.trim()));
  if (year === undefined || month === undefined || date === undefined) return null;
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const at = Date.parse(day);
  // 31 February is read as a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : null;
}

const ofWords = (found: RegExpExecArray | null): readonly string[] => {
  const [, date = '', name = '', year = ''] = found ?? [];
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return found === null || month === 0 ? [] : ['', year, String(month), date];
};
