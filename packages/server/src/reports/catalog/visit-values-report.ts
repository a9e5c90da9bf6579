/** The values that a filter of the explorer may take: those that occur under all its other filters. */
import { z } from '@hono/zod-openapi';
import { VISIT_VALUES, type VisitValue, visitValues } from '../../warehouse/index.ts';
import { defineAnswer } from '../report.ts';
import { visitParameters, visitQuery } from '../visit-parameters.ts';

const MOST = 200;
const NAMES = Object.keys(VISIT_VALUES) as [VisitValue, ...VisitValue[]];

export const visitFilterValues = defineAnswer({
  name: 'visit-values',
  path: 'visits/values',
  summary: `The values of one filter that occur under all others, most visits first, at most ${MOST}`,
  schema: 'VisitValues',
  population: 'all',
  parameters: {
    ...visitParameters,
    of: z.enum(NAMES).default('bot').openapi({ description: 'The filter' }),
  },
  answer: z.object({
    of: z.enum(NAMES),
    values: z.array(z.object({ value: z.string(), hits: z.number().int() })),
    cut: z.boolean().openapi({ description: 'There are more values than these' }),
  }),
  async run(context, parameters) {
    const { of } = parameters;
    const { warehouse, signal } = context;
    const found = await visitValues(warehouse, visitQuery(context, parameters), of, MOST + 1, signal);
    return { of, values: found.slice(0, MOST), cut: found.length > MOST };
  },
});
