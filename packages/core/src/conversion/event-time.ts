/** When it happened, in the three forms that senders write. */
import { MINUTE_MS } from '../time.ts';

/** 2000-01-01 and 2100-01-01: what lies outside is a unit mistaken for another, or a clock that was never set. */
const FROM = 946_684_800_000;
const UNTIL = 4_102_444_800_000;
/** Below: seconds, until the year 5138. Above: milliseconds, from 1973. */
const MILLISECONDS_FROM = 100_000_000_000;

const RFC_3339 =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:?[0-9]{2})$/;

/**
 * @param value seconds or milliseconds since 1970 as number or text, or RFC 3339 with a zone (without one it would be a time somewhere)
 * @returns epoch milliseconds, or null for everything else
 */
export function readEventTime(value: unknown): number | null {
  const at =
    typeof value === 'string' ? ofText(value.trim()) : typeof value === 'number' ? ofNumber(value) : null;
  return at !== null && at >= FROM && at < UNTIL ? at : null;
}

function ofText(text: string): number | null {
  return /^[0-9]{1,13}(?:\.[0-9]{1,9})?$/.test(text) ? ofNumber(Number(text)) : ofRfc3339(text);
}

const ofNumber = (value: number): number | null =>
  Number.isFinite(value) ? Math.round(value < MILLISECONDS_FROM ? value * 1000 : value) : null;

function ofRfc3339(text: string): number | null {
  const [, date, time, fraction = '', zone] = RFC_3339.exec(text) ?? [];
  if (date === undefined || time === undefined || zone === undefined) return null;
  const local = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse rolls the 30th of February over to March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${date}T${time}`)) return null;
  return local - offsetOf(zone);
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}
