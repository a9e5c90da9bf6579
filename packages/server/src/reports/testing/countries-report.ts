/** A report that only tests have: all that a new one takes, from its statement to its columns and a sum beside them. */
import { z } from '@hono/zod-openapi';
import { botDays, type ListSpec } from '../../warehouse/index.ts';
import { text as key } from '../../warehouse/reports/list.ts';
import { BOTS, HITS } from '../../warehouse/reports/measures.ts';
import { defineTable, type ItemOf, integer, number, text } from '../columns.ts';
import { readPage, readWhole, type WarehouseList } from '../listing.ts';
import { rounded } from '../numbers.ts';
import { defineList } from '../report.ts';

interface CountryRow {
  readonly country: string;
  readonly hits: number;
  readonly bots: number;
}

/** Would be in `warehouse/reports/`. */
const countryList: ListSpec = {
  classes: ['ai_bot'],
  reads: ['counted', 'weight', 'country', 'bot_name'],
  keys: { country: key('f.country') },
  measures: { hits: HITS, bots: BOTS },
  sorts: { hits: 'hits', bots: 'bots', country: 'country' },
};

const table = defineTable('CountryItem', {
  country: text('Country'),
  hits: number('Visits', 'visits', 'Of the population'),
  bots: integer('Bots', 'bots'),
});

export const countries = defineList({
  name: 'countries',
  path: 'countries',
  summary: 'Countries that AI bots come from',
  schema: 'CountryReport',
  sorts: ['hits', 'bots', 'country'],
  tables: [table],
  around: { totals: z.object({ hits: z.number() }) },
  async run(context, parameters) {
    const { warehouse, population, signal } = context;
    const [page, days] = await Promise.all([
      readPage(context, list, parameters),
      botDays(warehouse, context, signal),
    ]);
    const counted = days.filter(({ verified }) => population === 'all' || verified !== false);
    return { ...page, totals: { hits: rounded(counted.reduce((sum, { hits }) => sum + hits, 0)) } };
  },
  whole: (context) => readWhole(context, list),
});

const list: WarehouseList<CountryRow, ItemOf<typeof table>> = {
  spec: countryList,
  items: (_, rows) => rows.map(({ country, hits, bots }) => ({ country, hits: rounded(hits), bots })),
};
