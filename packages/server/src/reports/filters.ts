/** What can be filtered by: the values that occur. */
import { z } from '@hono/zod-openapi';
import { type FilterValue, filterValues } from '../warehouse/index.ts';
import type { Asked } from './context.ts';
import { rounded } from './numbers.ts';

const counted = <T extends z.ZodRawShape>(shape: T) => z.array(z.object(shape));
export const filtersSchema = z.object({
  bots: counted({ bot: z.string(), vendor: z.string(), intent: z.string(), hits: z.number() }),
  vendors: counted({ vendor: z.string(), hits: z.number() }),
  intents: counted({ intent: z.string(), hits: z.number() }),
  hosts: counted({ host: z.string(), hits: z.number() }),
  countries: counted({ country: z.string(), hits: z.number() }),
  engines: counted({ engine: z.string(), visits: z.number() }),
});

export async function filters(asked: Asked): Promise<z.infer<typeof filtersSchema>> {
  const values = await filterValues(asked.warehouse, asked, asked.signal);
  const of = (kind: FilterValue['kind']) => values.filter((value) => value.kind === kind);
  const bots = of('bot');
  const summed = (by: 'vendor' | 'intent'): [string, number][] =>
    [...Map.groupBy(bots, (value) => value[by])]
      .filter(([name]) => name !== '')
      .map(([name, rows]): [string, number] => [name, rows.reduce((sum, { hits }) => sum + hits, 0)])
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    bots: bots.map(({ value, vendor, intent, hits }) => ({
      bot: value,
      vendor,
      intent,
      hits: rounded(hits),
    })),
    vendors: summed('vendor').map(([vendor, hits]) => ({ vendor, hits: rounded(hits) })),
    intents: summed('intent').map(([intent, hits]) => ({ intent, hits: rounded(hits) })),
    hosts: of('host').map(({ value, hits }) => ({ host: value, hits: rounded(hits) })),
    countries: of('country').map(({ value, hits }) => ({ country: value, hits: rounded(hits) })),
    engines: of('engine').map(({ value, hits }) => ({ engine: value, visits: rounded(hits) })),
  };
}
