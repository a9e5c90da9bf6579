/** When a visit was, from every form in which edges write it. */

const DAY_MS = 86_400_000;
/** Clocks differ; a day is generous. */
export const MAX_FUTURE_MS = DAY_MS;
/** Older hits would change days that are closed. */
export const MAX_AGE_MS = 31 * DAY_MS;

/** Digits, perhaps with a fraction. */
const DECIMAL = /^(\d{1,19})(?:\.(\d{1,12}))?$/;
/** RFC 3339 §5.6; a space may stand for the `T`. */
const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Epoch milliseconds from RFC 3339, or from seconds, milliseconds, microseconds or nanoseconds as number or digits. The unit follows from the
 * size: seconds of the years 1970–5138 stay below 10^11, milliseconds of 1973 on lie above it, and so on by thousands. What lies below a
 * millisecond is cut off the text: a division of doubles would now and then cut a whole one. A number is read as it is written shortest; one of
 * nanoseconds has lost its last digits by then, unless `keepNanoseconds` saw its line first.
 * @returns null for what is no time
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value === 'number') return fromEpoch(value < 1 ? '' : String(value));
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (!RFC3339.test(text)) return fromEpoch(text);
  const at = Date.parse(text.replace(' ', 'T'));
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

const LONG_NUMBER = /:\s*\d{17}/;
/** The quote before a name within a text has a backslash before it. */
const LONG_TIME = /(?<!\\)"(\w*(?:time|stamp)\w*)"\s*:\s*(\d{17,19})(?=\s*[,}])/gi;

/** JSON whose times of 17 and more digits are texts: as numbers they would lose their last digits when they are parsed. */
export const keepNanoseconds = (json: string): string =>
  LONG_NUMBER.test(json) ? json.replace(LONG_TIME, '"$1":"$2"') : json;

/** Why a time is not taken, or null when it is. */
export function instantFault(at: number, now: number): 'in_future' | 'too_old' | null {
  if (at > now + MAX_FUTURE_MS) return 'in_future';
  return at < now - MAX_AGE_MS ? 'too_old' : null;
}

/** `YYYYMM` in UTC: the warehouse's partition. */
export function monthOf(at: number): string {
  const date = new Date(at);
  return String(date.getUTCFullYear() * 100 + date.getUTCMonth() + 1);
}
