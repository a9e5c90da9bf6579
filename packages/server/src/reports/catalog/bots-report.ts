/** Which AI bots came. */
import { z } from '@hono/zod-openapi';
import { type BotRow, botPages, botRows, NO_PAGES, type PageCounts } from '../../warehouse/index.ts';
import {
  type BotsTogether,
  botSeries,
  botSeriesSchema,
  byIntent,
  byIntentSchema,
  isNew,
  previousBotSeries,
  previousBotSeriesSchema,
  readDays,
  together,
} from '../bot-figures.ts';
import {
  column,
  defineTable,
  groupOrNull,
  type ItemOf,
  integer,
  jsonOnly,
  number,
  shapeOf,
  text,
} from '../columns.ts';
import { changeColumns } from '../comparison.ts';
import type { ReportContext } from '../context.ts';
import {
  changed,
  compared,
  comparedDays,
  figureColumns,
  figures,
  figuresShape,
  previousColumns,
  readColumns,
  readShape,
} from '../figures.ts';
import { compareBy } from '../listing.ts';
import { part, rounded } from '../numbers.ts';
import { defineList } from '../report.ts';

const comparedPagesColumns = {
  previous: groupOrNull({ ...previousColumns, pages: number('Pages before', 'pages') }),
  ...changeColumns,
} as const;

const table = defineTable('BotItem', {
  vendor: text('Vendor'),
  bot: text('Bot'),
  intent: text('Intent'),
  engine: text('Engine'),
  bots: integer('Bots', 'bots'),
  ...readColumns,
  share: number('Share', 'fraction'),
  is_new: column(
    z.boolean().nullable().openapi({
      description:
        'Its first visit was in the last seven days of the period; null: data begins less than a week before it',
    }),
    'flag',
    'New',
  ),
  ...figureColumns,
  series: jsonOnly(
    z.array(z.number()).openapi({ description: 'Hits of each day of the period; not in exports' }),
  ),
  ...comparedPagesColumns,
});
type Item = ItemOf<typeof table>;

const totalsSchema = z.object({
  ...figuresShape,
  bots: z.number().int(),
  vendors: z.number().int(),
  ...readShape,
  gone: z.number().int().openapi({
    description:
      'Rows of the list beyond those: they came in the period before and not in this one. 0 where nothing is compared',
  }),
  ...shapeOf(comparedPagesColumns),
});

const SORTS = [
  ...['hits', 'bot', 'vendor', 'pages', 'last_seen', 'first_seen', 'spoofed', 'errors', 'change'],
] as const;

export const bots = defineList({
  name: 'bots',
  path: 'bots',
  summary: 'Visits of AI bots, by bot, with intent',
  schema: 'BotReport',
  parameters: { group: z.enum(['bot', 'vendor']).default('bot') },
  sorts: SORTS,
  tables: [table],
  around: {
    totals: totalsSchema,
    by_intent: byIntentSchema,
    series: botSeriesSchema,
    previous_series: previousBotSeriesSchema,
  },
  async run(context, parameters) {
    const { limit, page_number } = parameters;
    const reading = await readBots(context, parameters);
    const { rows, bots: all } = reading;
    const days = await readDays(context, all);
    const shown = rows.slice((page_number - 1) * limit, page_number * limit);
    return {
      items: itemsOf(context, parameters, shown, reading),
      total: rows.length,
      totals: totalsOf(context, reading),
      by_intent: byIntent(context, all),
      series: botSeries(context, days),
      previous_series: previousBotSeries(context, days),
    };
  },
  async *whole(context, parameters) {
    const reading = await readBots(context, parameters);
    const items = itemsOf(context, parameters, reading.rows, reading);
    // Without the hits of each day, for which a cell has no place.
    yield items.map((item) => ({ ...item, series: [] }));
  },
});

/** What the list is sorted by: a row's value of each sort. */
const SORTED_BY: Readonly<
  Record<
    (typeof SORTS)[number],
    (row: ListedBot, context: ReportContext, firsts: ReadonlyMap<string, number>) => string | number | null
  >
> = {
  hits: ({ hits }) => hits,
  bot: ({ bot }) => bot,
  vendor: ({ vendor }) => vendor,
  pages: ({ pages }) => pages,
  last_seen: ({ last_at }) => last_at,
  first_seen: (row, _, firsts) => firstOf(row, firsts),
  spoofed: ({ spoofed }) => spoofed,
  errors: (row) => row.client_errors + row.server_errors,
  change: ({ days }, context) => changed(context, comparedDays(context, days)).change,
};

/** A bot, or the bots of a vendor. */
interface ListedBot extends BotsTogether, PageCounts, Pick<BotRow, 'vendor' | 'bot' | 'intent' | 'engine'> {}

interface BotTotals extends BotsTogether, PageCounts {
  readonly vendors: number;
}

interface BotQuery {
  readonly group: 'bot' | 'vendor';
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
}

interface BotReading {
  readonly totals: BotTotals;
  /** All of them, in the order that was asked for. */
  readonly rows: readonly ListedBot[];
  /** When each bot came to the property first. */
  readonly firsts: ReadonlyMap<string, number>;
  /** What they were made of. */
  readonly bots: readonly BotRow[];
}

/** The list is short, so it is read whole: its sums are those of its rows, and only pages need to be told apart for all together. */
async function readBots(context: ReportContext, { group, sort, order }: BotQuery): Promise<BotReading> {
  const { warehouse, signal } = context;
  const [pages, bots, firsts] = await Promise.all([
    botPages(warehouse, context, group, signal),
    botRows(warehouse, context, signal),
    context.firsts(),
  ]);
  const pagesOf = (number: string): PageCounts => pages.of.get(number) ?? NO_PAGES;
  const rows: ListedBot[] =
    group === 'bot'
      ? bots.map((row) => ({ ...row, ...together([row]), ...pagesOf(row.number) }))
      : [...Map.groupBy(bots, ({ vendor_number: number }) => number)].map(([number, of]) => ({
          ...{ vendor: of[0]?.vendor ?? '', bot: '', intent: '', engine: of[0]?.engine ?? '' },
          ...together(of),
          ...pagesOf(number),
        }));
  const vendors = new Set(bots.flatMap(({ hits, vendor }) => (hits > 0 ? [vendor] : []))).size;
  return {
    bots,
    firsts,
    totals: { ...together(bots), ...pages.all, vendors },
    rows: rows.filter(hasCome).sort(
      compareBy(
        (row: ListedBot) => SORTED_BY[sort](row, context, firsts),
        order,
        ({ vendor, bot, intent, engine }) => [vendor, bot, intent, engine],
      ),
    ),
  };
}

/** A bot whose name alone was used has not come: its row would be empty. */
const hasCome = ({ hits, previous_hits }: BotsTogether): boolean => hits > 0 || previous_hits > 0;

/** @param reading of whose hits theirs are shares */
function itemsOf(
  context: ReportContext,
  { group }: Pick<BotQuery, 'group'>,
  rows: readonly ListedBot[],
  { totals: { hits: total }, firsts }: Pick<BotReading, 'totals' | 'firsts'>,
): Item[] {
  return rows.map((row) => ({
    vendor: row.vendor,
    bot: row.bot,
    intent: row.intent,
    engine: row.engine,
    bots: row.bots,
    pages: row.pages,
    files: row.files,
    share: part(row.hits, total),
    is_new: group === 'bot' && isNew(context, row, firsts.get(row.bot)),
    ...figures({ ...row, first_at: firstOf(row, firsts) }),
    series: seriesOf(context, row.days).map(rounded),
    ...comparedPages(context, row),
  }));
}

/** The first visit of all, of a vendor that of its bots; of a name that was only pretended the first of the period. */
function firstOf(
  { names, first_at }: Pick<ListedBot, 'names' | 'first_at'>,
  firsts: ReadonlyMap<string, number>,
): number {
  const known = names.flatMap((name) => firsts.get(name) ?? []);
  return known.length === 0 ? first_at : Math.min(...known);
}

/** What of the days of both periods is of the period itself. */
const seriesOf = ({ plan }: ReportContext, days: readonly number[]): readonly number[] =>
  days.slice(plan.from - (plan.previous?.from ?? plan.from));

/** Hits and pages against those before. */
function comparedPages(
  context: ReportContext,
  { days, previous_pages: pages }: Pick<BotTotals, 'days' | 'previous_pages'>,
) {
  const { previous: hits, ...change } = compared(context, comparedDays(context, days));
  return { previous: hits === null ? null : { ...hits, pages }, ...change };
}

function totalsOf(
  context: ReportContext,
  { totals, rows }: Pick<BotReading, 'totals' | 'rows'>,
): z.infer<typeof totalsSchema> {
  const { bots, vendors, pages, files } = totals;
  return {
    ...figures(totals),
    bots,
    vendors,
    pages,
    files,
    gone: rows.filter(({ hits }) => hits === 0).length,
    ...comparedPages(context, totals),
  };
}
