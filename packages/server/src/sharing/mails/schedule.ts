/** When a mail of a report is due: a day and an hour of the property's calendar. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Days } from '../../common/index.ts';

export interface Schedule {
  readonly every: 'week' | 'month';
  /** Of a week 1 (Monday) to 7, of a month 1 to 28: every month has these. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
}

/** More than a month. */
const MOST_DAYS = 40;

/** The first such moment after now; epoch milliseconds. */
export function nextAt({ every, day, hour }: Schedule, days: Days, now: number): number {
  const today = days.dayAt(now);
  for (let ahead = 0; ahead <= MOST_DAYS; ahead += 1) {
    const number = today + ahead;
    const date = new Date(number * 24 * HOUR_MS);
    const found = every === 'week' ? date.getUTCDay() || 7 : date.getUTCDate();
    const at = days.startOf(number) + hour * HOUR_MS;
    if (found === day && at > now) return at;
  }
  throw new Error(`No day ${day} of a ${every} within ${MOST_DAYS} days`);
}
