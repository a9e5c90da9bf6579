/** When a visit was, from every form in which edges write it. */

const DAY_MS = 86_400_000;
/** Clocks differ; a day is generous. */
export const MAX_FUTURE_MS = DAY_MS;
/** Older hits would change days that are closed. */
export const MAX_AGE_MS = 31 * DAY_MS;

const DIGITS = /^\d{1,19}$/;
/** RFC 3339 §5.6; a space may stand for the `T`. */
const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Epoch milliseconds from RFC 3339, or from seconds, milliseconds, microseconds or nanoseconds as number or digits. The unit follows from the
 * size: seconds of the years 1970–5138 stay below 10^11, milliseconds of 1973 on lie above it, and so on by thousands.
 * @returns null for what is no time
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (DIGITS.test(text) || /^\d{1,13}\.\d{1,12}$/.test(text)) return fromEpoch(Number(text));
  if (!RFC3339.test(text)) return null;
  const at = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(at) ? null : at;
}

function fromEpoch(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0 || value >= 1e20) return null;
  if (value < 1e11) return Math.trunc(value * 1000);
  if (value < 1e14) return Math.trunc(value);
  if (value < 1e17) return Math.trunc(value / 1e3);
  return Math.trunc(value / 1e6);
}

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
