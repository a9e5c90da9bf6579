/** When a request was, from every form in which servers write it. */
import { HOUR_MS, MINUTE_MS } from '../time.ts';

/** Digits, perhaps with a fraction. */
const DECIMAL = /^(\d{1,19})(?:\.(\d{1,12}))?$/;
/** RFC 3339 §5.6; a space may stand for the `T`, and the zone may lack its colon. */
const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,12}))?([Zz]|[+-]\d\d:?\d\d)$/;
const WITHOUT_ZONE = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?$/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/**
 * Epoch milliseconds from RFC 3339, or from seconds, milliseconds, microseconds or nanoseconds as number or digits. The unit follows from the
 * size: seconds of the years 1970–5138 stay below 10^11, milliseconds of 1973 on lie above it, and so on by thousands. What lies below a
 * millisecond is cut off the text: a division of doubles would now and then cut a whole one. A number is read as it is written shortest; one of
 * nanoseconds has lost its last digits by then.
 * @returns null for what is no time
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value === 'number') return fromEpoch(value < 1 ? '' : String(value));
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  const [, day, time, fraction = '0', zone = 'Z'] = RFC3339.exec(text) ?? [];
  if (day === undefined) return fromEpoch(text);
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const at = Date.parse(`${day}T${time}.${fraction.slice(0, 3)}${offset.toUpperCase()}`);
  return Number.isNaN(at) ? null : at;
}

function fromEpoch(text: string): number | null {
  const [, written, fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = written?.replace(/^0+/, '') ?? '';
  if (digits === '' && !/[1-9]/.test(fraction)) return null;
  if (digits.length <= 11) return Number(digits + fraction.slice(0, 3).padEnd(3, '0'));
  const below = digits.length <= 14 ? 0 : digits.length <= 17 ? 3 : 6;
  return Number(digits.slice(0, digits.length - below));
}

/** As `parseInstant`; also a time without a zone, read in `zone`, and the form of access logs (`22/Nov/2026:04:27:31 +0100`). */
export function parseAnyTime(value: unknown, zone: WallClock): number | null {
  const instant = parseInstant(value);
  if (instant !== null || typeof value !== 'string') return instant;
  const text = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (text.length === CLF_LENGTH) return parseClfTime(text, 0);
  const parts = WITHOUT_ZONE.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  const at = utcOf(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return at === null ? null : zone(at) + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Length of `22/Nov/2026:04:27:31 +0100`. */
export const CLF_LENGTH = 26;

/** @returns epoch milliseconds, or null if there is no such time at `at` */
export function parseClfTime(text: string, at: number): number | null {
  const wall = parseClfWall(text, at);
  if (wall === null || text.charCodeAt(at + 20) !== SPACE) return null;
  const sign = text.charCodeAt(at + 21);
  const hours = two(text, at + 22);
  const minutes = two(text, at + 24);
  if ((sign !== PLUS && sign !== MINUS) || hours < 0 || minutes < 0 || minutes > 59 || hours > 15)
    return null;
  const offset = (hours * 60 + minutes) * MINUTE_MS;
  return sign === PLUS ? wall - offset : wall + offset;
}

/** `22/Nov/2026:04:27:31` as if it were UTC. */
export function parseClfWall(text: string, at: number): number | null {
  if (text.charCodeAt(at + 2) !== SLASH || text.charCodeAt(at + 6) !== SLASH) return null;
  if (
    text.charCodeAt(at + 11) !== COLON ||
    text.charCodeAt(at + 14) !== COLON ||
    text.charCodeAt(at + 17) !== COLON
  )
    return null;
  const month = MONTHS.indexOf(text.slice(at + 3, at + 6));
  if (month < 0 || month % 3 !== 0) return null;
  const century = two(text, at + 7);
  const year = two(text, at + 9);
  const day = two(text, at);
  const hour = two(text, at + 12);
  const minute = two(text, at + 15);
  const second = two(text, at + 18);
  if (century < 0 || year < 0 || day < 0 || hour < 0 || minute < 0 || second < 0) return null;
  return utcOf(century * 100 + year, month / 3, day, hour, minute, second);
}

/** Null for a day that the calendar lacks. A leap second is the last second of its minute. */
function utcOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (year < 1970 || month > 11 || day < 1 || hour > 23 || minute > 59 || second > 60) return null;
  const at = Date.UTC(year, month, day, hour, minute, Math.min(second, 59));
  return new Date(at).getUTCDate() === day ? at : null;
}

/** Two digits; -1 for anything else. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

const ZERO = 0x30;
const SLASH = 0x2f;
const COLON = 0x3a;
const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;

/** What a clock on the wall shows, as if it were UTC → epoch milliseconds. */
export type WallClock = (wall: number) => number;

const HOURS_KEPT = 64;

/**
 * Of the hour that a clock shows twice in autumn the first is meant, and an hour that it leaves out in spring is read as if it had not changed yet.
 * @param zone IANA name
 * @throws RangeError for a zone that is not known
 */
export function wallClock(zone = 'UTC'): WallClock {
  if (zone === 'UTC') return (wall) => wall;
  const shown = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (at: number): number => {
    const parts = new Map(shown.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return wall - Math.floor(at / 1000) * 1000;
  };
  // Lines come in the order of time: few hours are asked for again and again.
  const offsets = new Map<number, number>();
  const known = (hour: number): number => {
    const offset = offsets.get(hour);
    if (offset !== undefined) return offset;
    const wall = hour * HOUR_MS;
    // Clocks move by less than a day: what holds a day before and a day after are the only candidates.
    const before = offsetAt(wall - 24 * HOUR_MS);
    const after = offsetAt(wall + 24 * HOUR_MS);
    const found = [before, after].find((candidate) => offsetAt(wall - candidate) === candidate) ?? before;
    if (offsets.size >= HOURS_KEPT) offsets.clear();
    offsets.set(hour, found);
    return found;
  };
  return (wall) => wall - known(Math.floor(wall / HOUR_MS));
}
