/** A week at most, hour by hour. */
import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { botHours, type HourCount } from '../../warehouse/index.ts';
import { countsBy, countsView } from '../bot-figures.ts';
import type { ReportContext } from '../context.ts';
import { estimatedSchema, estimatesSchema } from '../estimates.ts';
import { intentsShape } from '../figures.ts';
import { hourShape, hoursShape, partialHour, readHours } from '../hours.ts';
import { roundedAll } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

/** How visits were answered, beside `failures`, which are both kinds of errors. */
const ANSWERS = ['redirects', 'client_errors', 'server_errors'] as const;
const answersShape = {
  failures: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
};

export const hours = defineAnswer({
  name: 'hours',
  path: 'hours',
  summary: `Visits of AI bots by hour, of at most ${MOST_DAYS_OF_HOURS} days`,
  schema: 'Hours',
  answer: z.object(
    hoursShape(
      z.object({
        ...hourShape,
        partial: partialHour,
        ...{ hits: z.number(), ...intentsShape, ...answersShape },
        ...{ verified: z.number(), spoofed: z.number(), unknown: z.number() },
        estimated: estimatedSchema,
        estimates: estimatesSchema,
      }),
      z.object({ ...hourShape, hits: z.number(), ...intentsShape, ...answersShape }),
    ),
  ),
  run: async (context) =>
    await readHours(context, ['ai_bot'], {
      read: async (days) => await botHours(context.warehouse, days, context.signal),
      viewOf: () => ({
        hour: (rows) => ({ ...countsView(countsOf(context, rows)), ...answersOf(context, rows) }),
        before: (rows) => {
          const { hits, training, search, on_demand, other } = countsOf(context, rows).counts;
          return {
            ...roundedAll({ hits, training, search, on_demand, other }),
            ...answersOf(context, rows),
          };
        },
      }),
    }),
});

/** All rows are of one hour. */
const countsOf = ({ population }: ReportContext, rows: readonly HourCount[]) =>
  countsBy(population, rows, () => 0)(0);

function answersOf({ population }: ReportContext, rows: readonly HourCount[]) {
  const counted = rows.filter(({ verified }) => verified !== false || population === 'all');
  const [redirects, client, server] = ANSWERS.map((name) => sum(counted, (row) => row[name])) as [
    number,
    number,
    number,
  ];
  return roundedAll({ failures: client + server, redirects, client_errors: client, server_errors: server });
}
