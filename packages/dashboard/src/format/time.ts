/** Times in a zone; the exact UTC instant goes beside them on hover. */

const SECOND_MS = 1_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Epoch milliseconds of an ISO string or a number; null when it is neither. */
export function instant(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const ms = typeof value === 'number' ? value : Date.parse(value);
  return Number.isFinite(ms) ? ms : null;
}

/**
 * One formatter per zone, made when it is first asked for: to make one takes about 100 times as long as to use it, and a page of reports
 * asks for hundreds.
 */
function perZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (timeZone?: string): Intl.DateTimeFormat => {
    const known = made.get(timeZone);
    if (known !== undefined) return known;
    const formatter = new Intl.DateTimeFormat(
      locale,
      timeZone === undefined ? options : { ...options, timeZone },
    );
    made.set(timeZone, formatter);
    return formatter;
  };
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const clockIn = perZone('en-GB', { ...TIME, second: '2-digit' });
const timeOfDayIn = perZone('en-GB', TIME);
const dateTimeIn = perZone('en-GB', { ...DAY, ...TIME, year: 'numeric' });
/** Formats `21 Nov, 14:00` and ranges of such times. */
export const shortDateTimeIn = perZone('en-GB', { ...DAY, ...TIME });
const dayPartsIn = perZone('en-US', {
  ...{ calendar: 'gregory', numberingSystem: 'latn' },
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `14:03:27` in a zone (default: the reader's), on a 24-hour clock so that rows align. */
export const clock = (ms: number, timeZone?: string): string => clockIn(timeZone).format(ms);

/** `14:03` in a zone (default: the reader's): the end of what began on the same day. */
export const timeOfDay = (ms: number, timeZone?: string): string => timeOfDayIn(timeZone).format(ms);

/** `21 Nov 2026, 14:03` in a zone (default: the reader's). */
export const dateTime = (ms: number, timeZone?: string): string => dateTimeIn(timeZone).format(ms);

/** `21 Nov, 14:03` in a zone (default: the reader's): for rows and cards. With its year unless that is the current one. */
export function shortDateTime(ms: number, now: number, timeZone?: string): string {
  const isOfThisYear = dayIn(timeZone, ms).slice(0, 4) === dayIn(timeZone, now).slice(0, 4);
  return (isOfThisYear ? shortDateTimeIn : dateTimeIn)(timeZone).format(ms);
}

/** `21 Nov 2026, 14:03:27.123`, in UTC. */
export const exactTime = (ms: number): string =>
  `${dayLabel(dayIn('UTC', ms), true)}, ${new Date(ms).toISOString().slice(-13, -1)}`;

/** `2026-11-21 14:03:27.123 UTC`. */
export function utc(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** `just now`, `12 seconds ago`, `3 hours ago`. */
export function ago(ms: number, now: number): string {
  const seconds = Math.round((now - ms) / SECOND_MS);
  if (Math.abs(seconds) < 5) return 'just now';
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return RELATIVE.format(-Math.trunc(seconds / size), unit);
}

/** Days of reports: days of the property's time zone, independent of the reader's zone. */

/** The day of a time in a zone (default: the reader's), `2026-11-21`. */
export function dayIn(timeZone: string | undefined, ms: number): string {
  const parts = dayPartsIn(timeZone).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** The time zone of a page's days: `Days are in Europe/Berlin.` */
export const daysOfZone = (timeZone: string): string => `Days are in ${timeZone}.`;

/** `21 Nov` of a day, independent of the reader's zone; `21 Nov 2026` with its year. */
export function dayLabel(day: string, withYear = false): string {
  return (withYear ? WITH_YEAR : WITHOUT_YEAR).format(Date.parse(`${day}T00:00:00Z`));
}

/** `Fri 6 Nov` of a day. */
export const weekdayLabel = (day: string): string =>
  WITH_WEEKDAY.format(Date.parse(`${day}T00:00:00Z`)).replace(',', '');

const WITH_WEEKDAY = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
  timeZone: 'UTC',
});
const WITHOUT_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const WITH_YEAR = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
});
