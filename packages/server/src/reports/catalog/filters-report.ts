/** What can be filtered by: for each filter the values that occur under all the others, at most 500. */
import { z } from '@hono/zod-openapi';
import { type FilterValue, filterValues } from '../../warehouse/index.ts';
import { rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

/** Reports are of AI bots or of AI referrals: a value that only the other kind has would leave them empty. */
const ofBoth = {
  hits: z.number().openapi({ description: 'Visits of AI bots and AI referrals' }),
  bot_hits: z.number().openapi({ description: 'Visits of AI bots: 0 leaves the reports about bots empty' }),
  referrals: z.number().openapi({ description: 'AI referrals: 0 leaves the report of referrals empty' }),
} as const;

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
    hosts: counted({ host: z.string(), ...ofBoth }),
    countries: counted({ country: z.string(), ...ofBoth }),
    engines: counted({ engine: z.string(), visits: z.number() }),
  }),
  async run(context) {
    const values = await filterValues(context.warehouse, context, context.signal);
    const of = (kind: FilterValue['kind']) =>
      values.flatMap((value) => (value.kind === kind ? [{ ...value, hits: rounded(value.hits) }] : []));
    const parts = ({ hits, referrals }: FilterValue) => ({
      ...{ hits, bot_hits: rounded(hits - referrals), referrals: rounded(referrals) },
    });
    return {
      bots: of('bot').map(({ value, vendor, intent, hits }) => ({ bot: value, vendor, intent, hits })),
      vendors: of('vendor').map(({ value, hits }) => ({ vendor: value, hits })),
      intents: of('intent').map(({ value, hits }) => ({ intent: value, hits })),
      hosts: of('host').map((row) => ({ host: row.value, ...parts(row) })),
      countries: of('country').map((row) => ({ country: row.value, ...parts(row) })),
      engines: of('engine').map(({ value, hits }) => ({ engine: value, visits: hits })),
    };
  },
});
