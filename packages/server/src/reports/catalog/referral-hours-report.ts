/** Visits that AI products sent, hour by hour. */
import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { type ReferralHour, referralHours as readReferralHours } from '../../warehouse/index.ts';
import { hourShape, hoursShape, partialHour, readHours } from '../hours.ts';
import { rounded } from '../numbers.ts';
import { byEngine, chartedEngines, engineShape } from '../referral-series.ts';
import { defineAnswer } from '../report.ts';

export const referralHours = defineAnswer({
  name: 'referral-hours',
  path: 'referrals/hours',
  summary: `People who came from AI products by hour, of at most ${MOST_DAYS_OF_HOURS} days`,
  schema: 'ReferralHours',
  answer: z.object(
    hoursShape(
      z.object({
        ...hourShape,
        partial: partialHour,
        ...engineShape,
      }),
      z.object({ ...hourShape, visits: z.number() }),
    ),
  ),
  async run(context) {
    const visitsOf = (rows: readonly ReferralHour[]) => rounded(sum(rows, ({ visits }) => visits));
    return await readHours(context, ['ai_referral'], {
      read: async (days) => await readReferralHours(context.warehouse, days, context.signal),
      viewOf(all) {
        // The lines are chosen once for all hours.
        const charted = chartedEngines(all.filter(({ is_before }) => is_before === 0));
        return {
          hour: (rows) => byEngine(rows, charted),
          before: (rows) => ({ visits: visitsOf(rows) }),
        };
      },
    });
  },
});
