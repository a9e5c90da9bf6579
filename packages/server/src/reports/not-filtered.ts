/** Parts of an answer that a filter can't narrow: what people did is of no bot, and an order of no page. */
import { z } from '@hono/zod-openapi';
import { BOT_FILTERS, type FactsFilter, PLACE_FILTERS } from '../warehouse/index.ts';

type FilterName = keyof FactsFilter;

/** Part → the filters that it can't take. */
const PARTS = {
  referrals: BOT_FILTERS,
  conversions: [...BOT_FILTERS, ...PLACE_FILTERS],
} as const satisfies Record<string, readonly FilterName[]>;
type Part = keyof typeof PARTS;

const filters = z.array(z.enum([...BOT_FILTERS, ...PLACE_FILTERS]));
export const notFilteredSchema = z
  .object({ referrals: filters.optional(), conversions: filters.optional() } satisfies Record<
    Part,
    z.ZodType
  >)
  .openapi({
    description:
      'The parts that some filters of the question do not narrow, each with those filters; empty where every filter narrows all',
  });

export function notFiltered(filter: FactsFilter): z.infer<typeof notFilteredSchema> {
  const parts = Object.entries(PARTS).map(([part, names]) => [
    part,
    names.filter((name) => filter[name] !== undefined),
  ]);
  return Object.fromEntries(parts.filter(([, names]) => names !== undefined && names.length > 0));
}
