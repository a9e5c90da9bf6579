/** What can be filtered by: for each filter the values that occur under all the others, at most 500. */
import { z } from '@hono/zod-openapi';
import { type FilterValue, filterValues } from '../../warehouse/index.ts';
import { rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

const counted = <T extends z.ZodRawShape>(shape: T) => z.array(z.object(shape));

export const filters = defineAnswer({
  name: 'filters',
  path: 'filters',
  summary:
    'For each filter the values that occur in the period under all the other filters, at most 500 each',
  schema: 'ReportFilters',
  answer: z.object({
    bots: counted({ bot: z.string(), vendor: z.string(), intent: z.string(), hits: z.number() }),
    vendors: counted({ vendor: z.string(), hits: z.number() }),
    intents: counted({ intent: z.string(), hits: z.number() }),
    hosts: counted({ host: z.string(), hits: z.number() }),
    countries: counted({ country: z.string(), hits: z.number() }),
    engines: counted({ engine: z.string(), visits: z.number() }),
  }),
  async run(context) {
    const values = await filterValues(context.warehouse, context, context.signal);
    const of = (kind: FilterValue['kind']) =>
      values.flatMap((value) => (value.kind === kind ? [{ ...value, hits: rounded(value.hits) }] : []));
    return {
      bots: of('bot').map(({ value, vendor, intent, hits }) => ({ bot: value, vendor, intent, hits })),
      vendors: of('vendor').map(({ value, hits }) => ({ vendor: value, hits })),
      intents: of('intent').map(({ value, hits }) => ({ intent: value, hits })),
      hosts: of('host').map(({ value, hits }) => ({ host: value, hits })),
      countries: of('country').map(({ value, hits }) => ({ country: value, hits })),
      engines: of('engine').map(({ value, hits }) => ({ engine: value, visits: hits })),
    };
  },
});
