/** A period by its name, instead of by its days. */
import {
  type CalendarUnit,
  type DayRange,
  daysOfPeriod,
  PERIOD_NAMES,
  type PeriodName,
  unitOfName,
} from '@ghostlight/core/periods';
import { z } from '@hono/zod-openapi';
import { ServiceError } from './errors.ts';

export const namedPeriod = z.object({
  period: z.enum(PERIOD_NAMES).optional().openapi({
    description:
      'Instead of `from` and `to`: a period by name, in the property’s time zone. Weeks begin on Monday; one that is running ends today',
  }),
});

interface AskedPeriod {
  readonly period?: PeriodName | undefined;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** @returns with the unit of the calendar that it is; null: none was named @throws ServiceError `invalid` */
export function daysOfNamed(
  { period, from, to }: AskedPeriod,
  today: number,
): (DayRange & { readonly unit: CalendarUnit | null }) | null {
  if (period === undefined) return null;
  if (from === undefined && to === undefined)
    return { ...daysOfPeriod(period, today), unit: unitOfName(period) };
  throw new ServiceError('invalid', 'The query is invalid.', {
    errors: [{ pointer: '/period', message: 'Use either a period or its days, not both.' }],
  });
}
