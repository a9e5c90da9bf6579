/** The period that a list or a report is asked for: moments, or days of the property. */
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { z } from '@hono/zod-openapi';
import { ServiceError } from './errors.ts';
import { type Days, dateOf, dayOf } from './time-zone.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;
/** The longest period may have one hour more: the day on which the clocks go back. */

/** A moment in epoch milliseconds, or a day of the property by its number. */
export type Bound = number | { readonly day: number };

const instant = z.iso.datetime({ offset: true });
const bound = z.string().transform((text, context): Bound => {
  const day = dayOf(text);
  if (!Number.isNaN(day)) return { day };
  if (instant.safeParse(text).success) return Date.parse(text);
  context.addIssue({
    code: 'custom',
    message: 'Enter a day such as 2026-11-21, or a time such as 2026-11-21T00:00:00Z.',
  });
  return z.NEVER;
});

export const periodSchema = z.object({
  from: bound.optional().openapi({
    type: 'string',
    description:
      'A moment, inclusive, or a day in the property’s time zone; 30 days before `to` when left out',
  }),
  to: bound.optional().openapi({
    type: 'string',
    description: 'A moment, exclusive, or a day in the property’s time zone, inclusive; now when left out',
  }),
});

/** Epoch milliseconds, inclusive and exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** @param days of the property @throws ServiceError `invalid` */
export function periodOf(
  from: Bound | undefined,
  to: Bound | undefined,
  now: number,
  days: Pick<Days, 'startOf'>,
): Period {
  const last = typeof to === 'object' ? days.startOf(to.day + 1) : to;
  const first = typeof from === 'object' ? days.startOf(from.day) : from;
  // The newest conversion may carry a clock that is a little ahead.
  const end = last ?? now + DAY_MS;
  const start = first ?? (last ?? now) - DEFAULT_DAYS * DAY_MS;
  if (start < end && end - start <= MAX_DAYS * DAY_MS + HOUR_MS) return { from: start, to: end };
  throw new ServiceError(
    'invalid',
    `The period must end after it begins, and may have at most ${MAX_DAYS} days.`,
    { errors: [{ pointer: '/from', message: `Must be before "to", by at most ${MAX_DAYS} days.` }] },
  );
}

/** The first and the last day of a period, as dates. @param now the last day is over, or today */
export const datesOf = (
  { from, to }: Period,
  days: Pick<Days, 'dayAt'>,
  now: number,
): { readonly from: string; readonly to: string } => ({
  from: dateOf(days.dayAt(from)),
  to: dateOf(days.dayAt(Math.max(from, Math.min(to - 1, now)))),
});
