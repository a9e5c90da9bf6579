import { dayIn } from '../format/day.ts';
import { instant } from '../format/time.ts';
import type { Alert } from './types.ts';

const DAY_MS = 86_400_000;
/** What the alert calls usual: the two weeks before. */
const BEFORE_DAYS = 14;
/** One that stays open for months is still about how it began. */
const MOST_AFTER_DAYS = 30;

/** The days in which an alert's report shows what it is about: what was usual, and then what happened. @param now epoch milliseconds */
export function alertDays(
  { at, resolved_at }: Pick<Alert, 'at' | 'resolved_at'>,
  timeZone: string,
  now: number,
): { from: string; to: string } {
  const began = instant(at) ?? now;
  const over = Math.min(now, instant(resolved_at) ?? now, began + MOST_AFTER_DAYS * DAY_MS);
  const last = dayIn(timeZone, Math.max(began, over));
  const first = new Date(Date.parse(dayIn(timeZone, began)) - BEFORE_DAYS * DAY_MS).toISOString();
  return { from: first.slice(0, 10), to: last };
}
