/** The period that a list or a report is asked for: `from` inside, `to` outside. */
import { z } from '@hono/zod-openapi';
import { ServiceError } from './errors.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

const instant = z.iso
  .datetime({ offset: true, message: 'Give a time such as 2026-11-21T00:00:00Z.' })
  .transform((text) => Date.parse(text));

export const periodSchema = z.object({
  from: instant.optional().openapi({ description: 'Inside; 30 days before `to` when left out' }),
  to: instant.optional().openapi({ description: 'Outside; now when left out' }),
});

/** Epoch milliseconds, inside and outside. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** @throws ServiceError `invalid` */
export function periodOf(from: number | undefined, to: number | undefined, now: number): Period {
  // The newest conversion may carry a clock that is a little ahead.
  const end = to ?? now + DAY_MS;
  const start = from ?? (to ?? now) - DEFAULT_DAYS * DAY_MS;
  if (start < end && end - start <= MAX_DAYS * DAY_MS) return { from: start, to: end };
  throw new ServiceError('invalid', 'The query has an error.', {
    errors: [{ pointer: '/from', message: `Must be before "to", by at most ${MAX_DAYS} days.` }],
  });
}
