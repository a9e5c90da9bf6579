/** When a visit was: which times are taken, and those that JSON would lose digits of. */
import { DAY_MS } from '@ghostlight/core/time';

export { parseInstant } from '@ghostlight/core/log-formats';

/** Clocks differ; a day is generous. */
export const MAX_FUTURE_MS = DAY_MS;
/** Older hits would change days that are closed. */
export const MAX_AGE_MS = 31 * DAY_MS;

const LONG_NUMBER = /:\s*\d{17}/;
/** The quote before a name within a text has a backslash before it. */
const LONG_TIME = /(?<!\\)"(\w*(?:time|stamp)\w*)"\s*:\s*(\d{17,19})(?=\s*[,}])/gi;

/** JSON whose times of 17 and more digits are texts: as numbers they would lose their last digits when they are parsed. */
export const keepNanoseconds = (json: string): string =>
  LONG_NUMBER.test(json) ? json.replace(LONG_TIME, '"$1":"$2"') : json;

/** Why a time is not taken, or null when it is. */
export function instantFault(at: number, now: number, maxAgeMs = MAX_AGE_MS): 'in_future' | 'too_old' | null {
  if (at > now + MAX_FUTURE_MS) return 'in_future';
  return at < now - maxAgeMs ? 'too_old' : null;
}

/** `YYYYMM` in UTC: the warehouse's partition. */
export function monthOf(at: number): string {
  const date = new Date(at);
  return String(date.getUTCFullYear() * 100 + date.getUTCMonth() + 1);
}
