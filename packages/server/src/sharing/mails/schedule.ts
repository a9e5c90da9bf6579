/** When a mail of a report is due: a day and an hour of the property's calendar. */
import { DAY_MS } from '@ghostlight/core/time';
import { daysIn, hourOf } from '../../common/index.ts';

export interface Schedule {
  readonly every: 'week' | 'month';
  /** Of a week 1 (Monday) to 7, of a month 1 to 28: every month has these. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
}

/** More than a month. */
const MOST_DAYS = 40;

/** The first such moment after now; epoch milliseconds. On days of a change of clocks too, the hour is the one that a clock shows. */
export function nextAt({ every, day, hour }: Schedule, timeZone: string, now: number): number {
  const today = daysIn(timeZone).dayAt(now);
  for (let ahead = 0; ahead <= MOST_DAYS; ahead += 1) {
    const number = today + ahead;
    const date = new Date(number * DAY_MS);
    const found = every === 'week' ? date.getUTCDay() || 7 : date.getUTCDate();
    if (found !== day) continue;
    const at = hourOf(timeZone, number, hour);
    if (at > now) return at;
  }
  throw new Error(`No day ${day} of a ${every} within ${MOST_DAYS} days`);
}
