/**
 * Time zones by their IANA names, and when a day begins there. Days are numbered from 1970-01-01, whatever the zone; moments are epoch
 * milliseconds. Only here are moments made of days and days of moments: days of 23, 24.5 and 25 hours exist, days without a midnight, and
 * one that a country left out.
 */
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';

/** No zone is further from UTC. */
const FURTHEST_MS = 16 * HOUR_MS;
/** Ten years; a report needs 800. */
const MAX_KEPT_DAYS = 4_000;

/** The days of a zone. A day lasts until the next one begins. */
export interface Days {
  /** When a day begins: its first moment. A day that a zone left out begins when the next one does. */
  startOf(day: number): number;
  /** The day in which a moment lies. */
  dayAt(at: number): number;
  /** The first day that is of this zone: those before are of the zone of then. `-Infinity`: every day is. */
  readonly since: number;
}

export const UTC = 'UTC';

/** `YYYY-MM-DD` of a day. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** RFC 3339, in UTC. @param at epoch milliseconds; null stays null */
export const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** @param date `YYYY-MM-DD` @returns the day's number; NaN for what is no day of the calendar */
export function dayOf(date: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // `2026-02-30` is read as the second of March.
  return new Date(at).getTime() === at && new Date(at).toISOString().startsWith(date)
    ? at / DAY_MS
    : Number.NaN;
}

const UTC_DAYS: Days = {
  startOf: (day) => day * DAY_MS,
  dayAt: (at) => Math.floor(at / DAY_MS),
  since: Number.NEGATIVE_INFINITY,
};

/** The names by which the runtime still knows zones that were renamed: what people choose from has the newer ones. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * @param name in any letter case; a former name counts as the current one
 * @returns the name by which a zone is stored; null if it is none: an offset, an abbreviation such as CET, an unknown name
 */
export function canonicalTimeZone(name: string): string | null {
  // `EST` and `CET` are offsets of a season to most people, and other zones to the runtime.
  if (name.length > 64 || !(/^(?:utc|gmt|zulu)$/i.test(name) || /^[A-Za-z][\w+-]*\//.test(name))) return null;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return RENAMED[known] ?? known;
  } catch {
    return null;
  }
}

/** The days of each zone that was ever asked for: there are some 400. Made of the runtime's tables alone, so they never grow old. */
const asked = new Map<string, Days>();

/** @param timeZone a canonical name @throws RangeError for what is no zone */
export function daysIn(timeZone: string): Days {
  const known = asked.get(timeZone);
  if (known !== undefined) return known;
  const days = timeZone === UTC ? UTC_DAYS : zoneDays(timeZone);
  asked.set(timeZone, days);
  return days;
}

/** What a clock in the zone shows, as if it were UTC. */
type ShowAt = (at: number) => number;

function zoneDays(timeZone: string): Days {
  const showAt = clockOf(timeZone);
  const starts = new Map<number, number>();
  const startOf = (day: number): number => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    if (starts.size >= MAX_KEPT_DAYS) starts.clear();
    const start = findMoment(day * DAY_MS, showAt);
    starts.set(day, start);
    return start;
  };
  return {
    startOf,
    dayAt(at) {
      let day = Math.floor(showAt(at) / DAY_MS);
      // Where clocks go back over midnight, the hour that comes twice is of the day that had begun.
      while (startOf(day) > at) day -= 1;
      while (startOf(day + 1) <= at) day += 1;
      return day;
    },
    since: Number.NEGATIVE_INFINITY,
  };
}

/** Making one takes a hundred times as long as reading it. */
const clocks = new Map<string, ShowAt>();

function clockOf(timeZone: string): ShowAt {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = newClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function newClock(timeZone: string): ShowAt {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', era: 'short' },
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  });
  return (at) => {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (at - Math.floor(at / 1_000) * 1_000);
  };
}

/** @param shown what a clock of the zone shows, as if it were UTC @returns the first such moment; where clocks jump over it, the end of the jump */
function findMoment(shown: number, showAt: ShowAt): number {
  const [before, after] = [shown - FURTHEST_MS, shown + FURTHEST_MS];
  const offsets = [before, after].map((at) => showAt(at) - at);
  const fits = offsets.map((offset) => shown - offset).filter((at) => showAt(at) === shown);
  if (fits.length > 0) return Math.min(...fits);
  // The clocks jumped over it: a day, or an hour, begins where they landed.
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (showAt(middle) - middle === offsets[0]) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * When a clock of the zone shows a full hour on a day: the first time, where an hour comes twice; the end of the jump, where it is left out.
 * @param hour 0 to 23
 */
export const hourOf = (timeZone: string, day: number, hour: number): number => {
  const shown = day * DAY_MS + hour * HOUR_MS;
  return timeZone === UTC ? shown : findMoment(shown, clockOf(timeZone));
};

/** `21 Nov 2026, 14:03 Europe/Berlin`: what a clock there shows, and where. As the dashboard writes times. */
export const momentIn = (timeZone: string, at: number): string => {
  const shown = shownAt(timeZone, at);
  return `${DATE.format(shown)}, ${TIME.format(shown)} ${timeZone}`;
};

/** `21 Nov 2026 at 14:03 Europe/Berlin`: the same within a sentence, which a comma would cut. */
export const momentInSentence = (timeZone: string, at: number): string => {
  const shown = shownAt(timeZone, at);
  return `${DATE.format(shown)} at ${TIME.format(shown)} ${timeZone}`;
};

/** A clock's time, as if it were UTC. */
const shownAt = (timeZone: string, at: number): number => (timeZone === UTC ? at : clockOf(timeZone)(at));

const DATE = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
});
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** From when on a zone counts that was changed: the day before ended at `at`, by the zone of then. */
export interface ZoneSince {
  readonly day: number;
  readonly at: number;
}

/** Whose days they are. */
export interface Zoned {
  readonly timeZone: string;
  /** null: every day is of this zone. */
  readonly zoneSince: ZoneSince | null;
}

/** The days of a property. Where its zone was changed, the first day is as long as it takes for no moment to be of two days or of none. */
export function daysOf({ timeZone, zoneSince }: Zoned): Days {
  const days = daysIn(timeZone);
  if (zoneSince === null) return days;
  const { day: first, at: seam } = zoneSince;
  return {
    startOf(day) {
      if (day === first) return seam;
      return day < first ? Math.min(seam, days.startOf(day)) : Math.max(seam, days.startOf(day));
    },
    dayAt: (at) => (at < seam ? Math.min(days.dayAt(at), first - 1) : Math.max(days.dayAt(at), first)),
    since: first,
  };
}
