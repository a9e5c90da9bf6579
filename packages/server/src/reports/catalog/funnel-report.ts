/**
 * Crawled, referred, converted, side by side per engine, without a claim that a crawl led to a referral; the answer says so.
 */

import { addDecimal } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { type EngineRow, engineRows } from '../../warehouse/index.ts';
import { momentsOf, type ReportContext } from '../context.ts';
import { makerOf } from '../engines.ts';
import { intentsShape } from '../figures.ts';
import { notFiltered, notFilteredSchema } from '../not-filtered.ts';
import { rounded, roundedAll } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

const NOTE =
  'Counted independently of each other in the same days. A crawled page does not explain why a person came.';

const answerSchema = z.object({
  conversions: z.object({ available: z.boolean(), cut: z.boolean() }),
  items: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      products: z.array(z.string()),
      crawled: z.object({
        hits: z.number(),
        estimated: z.number(),
        spoofed: z.number(),
        ...intentsShape,
        pages: z.number().int(),
      }),
      referred: z.object({ visits: z.number(), estimated: z.number(), pages: z.number().int() }),
      converted: z
        .object({
          conversions: z.string().openapi({ description: 'Decimal text' }),
          values: z.array(z.object({ currency: z.string(), value: z.string() })),
        })
        .nullable(),
      crawls_per_referral: z.number().nullable(),
      previous: z.object({ crawled: z.number(), referred: z.number() }).nullable(),
    }),
  ),
  not_filtered: notFilteredSchema,
  note: z.string(),
});
type Funnel = z.infer<typeof answerSchema>;

export const funnel = defineAnswer({
  name: 'funnel',
  path: 'funnel',
  summary: 'Crawled, referred and converted, per engine',
  schema: 'Funnel',
  answer: answerSchema,
  run: read,
});

interface Engine {
  crawled: EngineRow[];
  referred: EngineRow[];
  conversions: string;
  values: Map<string, string>;
  products: Set<string>;
}

async function read(context: ReportContext): Promise<Funnel> {
  const { warehouse, compare, signal, productOf } = context;
  const [crawled, referred, conversions] = await Promise.all([
    engineRows(warehouse, context, 'ai_bot', signal),
    engineRows(warehouse, context, 'ai_referral', signal),
    context.conversions(context.property, momentsOf(context)),
  ]);
  const engines = new Map<string, Engine>();
  const at = (key: string): Engine => {
    const standing = engines.get(key);
    if (standing !== undefined) return standing;
    const made = {
      crawled: [],
      referred: [],
      conversions: '0',
      values: new Map(),
      products: new Set<string>(),
    };
    engines.set(key, made);
    return made;
  };
  for (const row of crawled) at(row.engine).crawled.push(row);
  for (const row of referred) {
    const engine = at(makerOf(row.engine));
    engine.referred.push(row);
    engine.products.add(row.engine);
  }
  for (const { key, conversions: count, values } of conversions.rows) {
    const product = productOf(key);
    if (product === null) continue;
    const engine = at(makerOf(product));
    engine.products.add(product);
    engine.conversions = addDecimal(engine.conversions, count);
    for (const { currency, value } of values)
      engine.values.set(currency, addDecimal(engine.values.get(currency) ?? '0', value));
  }
  const available = conversions.rows.length > 0;
  return {
    conversions: { available, cut: conversions.cut },
    items: [...engines]
      .map(([key, engine]) => item(key, engine, { available, compare }))
      .sort(
        (a, b) =>
          b.referred.visits - a.referred.visits ||
          b.crawled.hits - a.crawled.hits ||
          (a.key < b.key ? -1 : 1),
      ),
    not_filtered: notFiltered(context.filter),
    note: NOTE,
  };
}

const sumOf = (
  rows: readonly EngineRow[],
  of: 'hits' | 'estimated' | 'pages' | 'previous_hits' | 'spoofed' | keyof typeof intentsShape,
) => sum(rows, (row) => row[of]);

function item(
  key: string,
  { crawled, referred, conversions, values, products }: Engine,
  { available, compare }: { available: boolean; compare: boolean },
): Funnel['items'][number] {
  const [hits, visits] = [sumOf(crawled, 'hits'), sumOf(referred, 'hits')];
  return {
    key,
    name: crawled[0]?.vendor ?? [...products][0] ?? key,
    products: [...products].sort(),
    crawled: {
      ...roundedAll({ hits, estimated: sumOf(crawled, 'estimated'), spoofed: sumOf(crawled, 'spoofed') }),
      ...roundedAll({
        training: sumOf(crawled, 'training'),
        search: sumOf(crawled, 'search'),
        on_demand: sumOf(crawled, 'on_demand'),
        other: sumOf(crawled, 'other'),
      }),
      pages: sumOf(crawled, 'pages'),
    },
    referred: {
      ...roundedAll({ visits, estimated: sumOf(referred, 'estimated') }),
      // Two products of one maker may have sent people to the same page.
      pages: Math.max(0, ...referred.map(({ pages }) => pages)),
    },
    converted: available
      ? {
          conversions,
          values: [...values]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([currency, value]) => ({ currency, value })),
        }
      : null,
    crawls_per_referral: visits > 0 ? rounded(hits / visits) : null,
    previous: compare
      ? {
          crawled: rounded(sumOf(crawled, 'previous_hits')),
          referred: rounded(sumOf(referred, 'previous_hits')),
        }
      : null,
  };
}
