import { DAY_MS } from '@ghostlight/core/time';
import type { ApiToken } from '../../features/people/api.ts';
import { instant } from '../../format/time.ts';

type TokenState = 'active' | 'expired' | 'revoked';

/** @param now epoch milliseconds */
export function tokenState({ revoked_at, expires_at }: ApiToken, now: number): TokenState {
  if (revoked_at !== null) return 'revoked';
  const end = instant(expires_at);
  return end !== null && end <= now ? 'expired' : 'active';
}

export type Expiry = '30' | '90' | '365' | 'day' | 'never';

export const EXPIRIES: readonly (readonly [Expiry, string])[] = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['day', 'On a date…'],
  ['never', 'Never'],
];

/**
 * When the token expires, RFC 3339; null: never.
 * @param day `YYYY-MM-DD` of the reader's zone, which is still included
 * @param now epoch milliseconds
 * @throws RangeError for an invalid day, which must not become a token without expiry
 */
export function expiryTime(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === 'never') return null;
  return new Date(expiry === 'day' ? endOfDay(day) : now + Number(expiry) * DAY_MS).toISOString();
}

/** The midnight after a day in the reader's zone, as on the pages of organizations; NaN for no day. */
function endOfDay(day: string): number {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).getTime();
}
