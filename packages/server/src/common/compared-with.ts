/** What a report is compared with: its parameters, and the first day that follows from them. */
import {
  type CalendarUnit,
  COMPARISONS,
  comparedFrom,
  type DayRange,
  unitBeginningAt,
  unitOfRange,
} from '@ghostlight/core/periods';
import { z } from '@hono/zod-openapi';
import { ServiceError } from './errors.ts';
import { dayOf } from './time-zone.ts';

/** Years have four digits. */
const FIRST_DAY = dayOf('0000-01-01');
/** How far back a comparison may begin: every row is read for each day from there on. */
const MAX_DAYS_BACK = 800;

/** A day by its number. */
export const dayParameter = z
  .string()
  .max(10)
  .transform((text, context) => {
    const number = dayOf(text);
    if (!Number.isNaN(number)) return number;
    context.addIssue({ code: 'custom', message: 'Enter a day such as 2026-11-21.' });
    return z.NEVER;
  })
  .optional();

export const comparedWith = z.object({
  compare: z.enum(COMPARISONS).optional().openapi({
    description:
      'previous: adds the same number of days right before; of a `period` such as this_month, the days at the start of the month before; a month that is over is compared with all of the month before, and so for weeks, quarters and years. year: as many days, beginning on the same date a year before (28 February for 29 February)',
  }),
  compare_from: dayParameter.openapi({
    type: 'string',
    format: 'date',
    description:
      'Adds as many days from this day on, whatever `compare` says; before the period. Of a whole week, month, quarter or year that is over: the one that begins on this day',
  }),
});
export type ComparedWith = z.infer<typeof comparedWith>;

/** @param unit of the calendar that the period is @returns null: nothing was asked for @throws ServiceError `invalid` */
export function compareFromOf(
  { compare = 'none', compare_from: asked }: ComparedWith,
  period: DayRange,
  unit: CalendarUnit | null = null,
): number | null {
  const first = asked ?? (compare === 'none' ? null : comparedFrom(period, compare, unit));
  if (first === null) return null;
  if (first >= FIRST_DAY && first < period.from && period.from - first <= MAX_DAYS_BACK) return first;
  throw new ServiceError('invalid', 'The query is invalid.', {
    errors: [
      asked === undefined
        ? {
            pointer: '/from',
            message: 'Is too early: there are no days before it to compare with. Choose a later day.',
          }
        : { pointer: '/compare_from', message: `Must be before "from", by at most ${MAX_DAYS_BACK} days.` },
    ],
  });
}

/** How many days are compared, and with how many; both are 0 where none is. */
export interface ComparedDays {
  readonly now: number;
  readonly before: number;
}

/**
 * A whole unit of the calendar is compared with a whole one: 2025 with the 366 days of 2024. Otherwise there are as many days on each side. A
 * day that is not over has no counterpart among whole ones: it is left out on both sides. Nor is a day its own counterpart: the last of
 * March so far have none in February.
 */
export function comparedDaysOf({ from, to }: DayRange, compareFrom: number, today: number): ComparedDays {
  const unit = to < today ? unitOfRange({ from, to }) : null;
  const whole = unit === null ? null : unitBeginningAt(compareFrom, unit);
  if (whole !== null && whole.to < from) return { now: to - from + 1, before: whole.to - whole.from + 1 };
  const count = Math.max(0, Math.min(to - from + 1, today - from, from - compareFrom));
  return { now: count, before: count };
}
