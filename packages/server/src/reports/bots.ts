/** Which bots came. */
import { z } from '@hono/zod-openapi';
import {
  type BotRow,
  botPages,
  botRows,
  type DayCount,
  type Figures,
  knownBefore,
  type PageCounts,
} from '../warehouse/index.ts';
import { type Asked, daySchema, series } from './context.ts';
import { compared, FIGURE_NAMES, figures, figuresShape, INTENT_NAMES, intentsShape } from './figures.ts';
import { compareBy } from './listing.ts';
import { changeOf, part, rounded } from './numbers.ts';

/** New: its first visit of all lies in the last week of the period. */
const NEW_DAYS = 7;

export const BOT_SORTS = [
  ...['hits', 'bot', 'vendor', 'pages', 'last_seen', 'first_seen', 'spoofed', 'errors', 'change'],
] as const;

const previous = z.object({ hits: z.number(), pages: z.number() }).nullable();
export const botItemSchema = z.object({
  vendor: z.string(),
  bot: z.string(),
  intent: z.string(),
  engine: z.string(),
  bots: z.number().int(),
  pages: z.number().int(),
  share: z.number(),
  is_new: z.boolean(),
  ...figuresShape,
  series: z.array(z.number()).openapi({ description: 'Hits of each day of the period; not in exports' }),
  previous,
  change: z.number().nullable(),
});
export type BotItem = z.infer<typeof botItemSchema>;

export const BOT_COLUMNS = [
  ...['vendor', 'bot', 'intent', 'engine', 'bots', 'pages', 'share', 'is_new'],
  ...FIGURE_NAMES,
  ...['previous.hits', 'previous.pages', 'change'],
];

/** What the list is sorted by: a row's value of each sort. */
const SORTED_BY: Readonly<Record<(typeof BOT_SORTS)[number], (row: ListedBot) => string | number | null>> = {
  hits: ({ hits }) => hits,
  bot: ({ bot }) => bot,
  vendor: ({ vendor }) => vendor,
  pages: ({ pages }) => pages,
  last_seen: ({ last_at }) => last_at,
  first_seen: ({ first_at }) => first_at,
  spoofed: ({ spoofed }) => spoofed,
  errors: (row) => row.client_errors + row.server_errors,
  change: ({ hits, previous_hits }) => changeOf(hits, previous_hits),
};

/** A bot, or the bots of a vendor. */
interface ListedBot extends BotsTogether, PageCounts, Pick<BotRow, 'vendor' | 'bot' | 'intent' | 'engine'> {}

interface BotTotals extends BotsTogether, PageCounts {
  readonly vendors: number;
}

export interface BotQuery {
  readonly group: 'bot' | 'vendor';
  readonly sort: (typeof BOT_SORTS)[number];
  readonly order: 'asc' | 'desc';
}

export interface BotReading {
  readonly totals: BotTotals;
  /** All of them, in the order that was asked for. */
  readonly rows: readonly ListedBot[];
  /** What they were made of. */
  readonly bots: readonly BotRow[];
}

/** The list is short, so it is read whole: its sums are those of its rows, and only pages need to be told apart for all together. */
export async function readBots(asked: Asked, { group, sort, order }: BotQuery): Promise<BotReading> {
  const { warehouse, signal } = asked;
  const [pages, bots] = await Promise.all([
    botPages(warehouse, asked, group, signal),
    botRows(warehouse, asked, signal),
  ]);
  const pagesOf = (number: string): PageCounts => pages.of.get(number) ?? { pages: 0, previous_pages: 0 };
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
    totals: { ...together(bots), ...pages.all, vendors },
    rows: rows
      .filter(hasCome)
      .sort(
        compareBy(SORTED_BY[sort], order, ({ vendor, bot, intent, engine }) => [vendor, bot, intent, engine]),
      ),
  };
}

/** A bot whose name alone was used has not come: its row would be empty. */
const hasCome = ({ hits, previous_hits }: BotsTogether): boolean => hits > 0 || previous_hits > 0;

/** @param total hits of all the bots of the list, for their shares */
export async function botItems(
  asked: Asked,
  { group }: Pick<BotQuery, 'group'>,
  rows: readonly ListedBot[],
  total: number,
): Promise<BotItem[]> {
  const fresh = group === 'bot' ? await newOnes(asked, rows) : new Set<string>();
  return rows.map((row) => ({
    vendor: row.vendor,
    bot: row.bot,
    intent: row.intent,
    engine: row.engine,
    bots: row.bots,
    pages: row.pages,
    share: part(row.hits, total),
    is_new: fresh.has(row.bot),
    ...figures(row),
    series: row.series.map(rounded),
    previous: asked.compare ? { hits: rounded(row.previous_hits), pages: row.previous_pages } : null,
    change: asked.compare ? changeOf(row.hits, row.previous_hits) : null,
  }));
}

/** Those whose first visit in all that is kept lies in the period's last week. */
export async function newOnes(
  asked: Asked,
  rows: readonly Pick<BotRow, 'bot' | 'hits' | 'first_at'>[],
): Promise<ReadonlySet<string>> {
  const { warehouse, plan, signal } = asked;
  const week = plan.to - NEW_DAYS + 1;
  const young = rows
    .filter(({ hits, first_at }) => hits > 0 && plan.dayAt(first_at) >= week)
    .map(({ bot }) => bot);
  const known = await knownBefore(warehouse, asked, young, week, signal);
  return new Set(young.filter((bot) => !known.has(bot)));
}

export interface BotsTogether extends Figures {
  readonly bots: number;
  readonly previous_hits: number;
  readonly series: readonly number[];
}

/** Several bots as one. */
export function together(rows: readonly BotRow[]): BotsTogether {
  const seen = rows.filter(({ hits }) => hits > 0);
  const sum = (of: Exclude<keyof Figures, 'first_at' | 'last_at'> | 'previous_hits') =>
    rows.reduce((total, row) => total + row[of], 0);
  return {
    hits: sum('hits'),
    estimated: sum('estimated'),
    verified: sum('verified'),
    spoofed: sum('spoofed'),
    unknown: sum('unknown'),
    bytes: sum('bytes'),
    ok: sum('ok'),
    redirects: sum('redirects'),
    client_errors: sum('client_errors'),
    server_errors: sum('server_errors'),
    first_at: seen.reduce((first, row) => Math.min(first, row.first_at), seen[0]?.first_at ?? 0),
    last_at: seen.reduce((last, row) => Math.max(last, row.last_at), 0),
    bots: new Set(seen.map(({ bot }) => bot)).size,
    previous_hits: sum('previous_hits'),
    series: (rows[0]?.series ?? []).map((_, day) =>
      rows.reduce((total, { series: of }) => total + (of[day] ?? 0), 0),
    ),
  };
}

const seriesShape = {
  hits: z.number(),
  ...intentsShape,
  verified: z.number(),
  spoofed: z.number(),
  unknown: z.number(),
};
export const botSeriesSchema = z.array(daySchema.extend(seriesShape));
export const byIntentSchema = z.array(
  z.object({
    intent: z.enum(INTENT_NAMES),
    hits: z.number(),
    estimated: z.number(),
    ...{ previous: z.object({ hits: z.number() }).nullable(), change: z.number().nullable() },
  }),
);
export const botTotalsSchema = z.object({
  ...figuresShape,
  bots: z.number().int(),
  vendors: z.number().int(),
  pages: z.number().int(),
  previous,
  change: z.number().nullable(),
});

export function botTotalsView({ compare }: Asked, totals: BotTotals): z.infer<typeof botTotalsSchema> {
  const { bots, vendors, pages, previous_hits, previous_pages } = totals;
  return {
    ...figures(totals),
    bots,
    vendors,
    pages,
    previous: compare ? { hits: rounded(previous_hits), pages: previous_pages } : null,
    change: compare ? changeOf(totals.hits, previous_hits) : null,
  };
}

export function byIntentView({ compare }: Asked, bots: readonly BotRow[]): z.infer<typeof byIntentSchema> {
  return INTENT_NAMES.map((intent) => {
    const { hits, estimated, previous_hits } = together(
      bots.filter((bot) => (bot.intent === '' ? 'other' : bot.intent) === intent),
    );
    return {
      intent,
      hits: rounded(hits),
      estimated: rounded(estimated),
      ...compared(compare, hits, previous_hits),
    };
  });
}

/** The days of bots that were read, as `botDays` would ask for them. */
export const daysOf = ({ plan }: Asked, bots: readonly BotRow[]): DayCount[] =>
  bots.flatMap(({ intent, verified_series: verified, spoofed_series: spoofed, unknown_series: unknown }) =>
    verified.flatMap((hits, index) => {
      const of = { day: plan.from + index, intent };
      return [
        { ...of, verified: true, hits },
        { ...of, verified: false, hits: spoofed[index] ?? 0 },
        { ...of, verified: null, hits: unknown[index] ?? 0 },
      ];
    }),
  );

export function botSeries(
  { plan, population }: Asked,
  days: readonly DayCount[],
): z.infer<typeof botSeriesSchema> {
  const empty = () => ({
    ...{ hits: 0, training: 0, search: 0, on_demand: 0, other: 0, verified: 0, spoofed: 0, unknown: 0 },
  });
  const byDay = new Map<number, ReturnType<typeof empty>>();
  for (const { day, intent, verified, hits } of days) {
    const sums = byDay.get(day) ?? empty();
    byDay.set(day, sums);
    if (verified !== false || population === 'all') {
      sums.hits += hits;
      sums[INTENT_NAMES.find((name) => name === intent) ?? 'other'] += hits;
    }
    sums[verified === null ? 'unknown' : verified ? 'verified' : 'spoofed'] += hits;
  }
  return series(
    plan,
    (day) =>
      Object.fromEntries(
        Object.entries(byDay.get(day) ?? empty()).map(([name, value]) => [name, rounded(value)]),
      ) as ReturnType<typeof empty>,
  );
}
