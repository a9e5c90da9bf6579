/** Which bots came. */
import { z } from '@hono/zod-openapi';
import { dayOf } from '../shared/index.ts';
import {
  type BotRow,
  botDays,
  botPages,
  botRows,
  type DayCount,
  type Figures,
  NO_PAGES,
  type PageCounts,
} from '../warehouse/index.ts';
import { changeShape } from './comparison.ts';
import { type Asked, daySchema, series } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema } from './estimates.ts';
import {
  changed,
  compared,
  comparedDays,
  comparedShape,
  FIGURE_NAMES,
  figures,
  figuresShape,
  INTENT_NAMES,
  intentsShape,
  readShape,
} from './figures.ts';
import { compareBy } from './listing.ts';
import { part, rounded, roundedAll } from './numbers.ts';

/** The last days of a period, in which a bot that came first is new; and so long must data have been there before. */
const NEW_DAYS = 7;

export const BOT_SORTS = [
  ...['hits', 'bot', 'vendor', 'pages', 'last_seen', 'first_seen', 'spoofed', 'errors', 'change'],
] as const;

const previous = comparedShape.previous.unwrap().extend({ pages: z.number() }).nullable();
export const botItemSchema = z.object({
  vendor: z.string(),
  bot: z.string(),
  intent: z.string(),
  engine: z.string(),
  bots: z.number().int(),
  ...readShape,
  share: z.number(),
  is_new: z.boolean().nullable().openapi({
    description:
      'Its first visit lies in the last seven days of the period; null: data begins less than a week before it',
  }),
  ...figuresShape,
  series: z.array(z.number()).openapi({ description: 'Hits of each day of the period; not in exports' }),
  previous,
  ...changeShape,
});
export type BotItem = z.infer<typeof botItemSchema>;

export const BOT_COLUMNS = [
  ...['vendor', 'bot', 'intent', 'engine', 'bots', 'pages', 'files', 'share', 'is_new'],
  ...FIGURE_NAMES,
  ...['previous.hits', 'previous.compared_with', 'previous.pages', 'change'],
];

/** What the list is sorted by: a row's value of each sort. */
const SORTED_BY: Readonly<
  Record<
    (typeof BOT_SORTS)[number],
    (row: ListedBot, asked: Asked, firsts: ReadonlyMap<string, number>) => string | number | null
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
  change: ({ days }, asked) => changed(asked, comparedDays(asked, days)).change,
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
  /** When each bot came to the property first. */
  readonly firsts: ReadonlyMap<string, number>;
  /** What they were made of. */
  readonly bots: readonly BotRow[];
}

/** The list is short, so it is read whole: its sums are those of its rows, and only pages need to be told apart for all together. */
export async function readBots(asked: Asked, { group, sort, order }: BotQuery): Promise<BotReading> {
  const { warehouse, signal } = asked;
  const [pages, bots, firsts] = await Promise.all([
    botPages(warehouse, asked, group, signal),
    botRows(warehouse, asked, signal),
    asked.firsts(),
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
        (row: ListedBot) => SORTED_BY[sort](row, asked, firsts),
        order,
        ({ vendor, bot, intent, engine }) => [vendor, bot, intent, engine],
      ),
    ),
  };
}

/** A bot whose name alone was used has not come: its row would be empty. */
const hasCome = ({ hits, previous_hits }: BotsTogether): boolean => hits > 0 || previous_hits > 0;

/** @param reading of whose hits theirs are shares */
export function botItems(
  asked: Asked,
  { group }: Pick<BotQuery, 'group'>,
  rows: readonly ListedBot[],
  { totals: { hits: total }, firsts }: Pick<BotReading, 'totals' | 'firsts'>,
): BotItem[] {
  return rows.map((row) => ({
    vendor: row.vendor,
    bot: row.bot,
    intent: row.intent,
    engine: row.engine,
    bots: row.bots,
    pages: row.pages,
    files: row.files,
    share: part(row.hits, total),
    is_new: group === 'bot' && isNew(asked, row, firsts.get(row.bot)),
    ...figures({ ...row, first_at: firstOf(row, firsts) }),
    series: seriesOf(asked, row.days).map(rounded),
    ...comparedPages(asked, row),
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

/**
 * Whether a bot is new: its first visit of all lies in the last week of the period.
 * @returns null where data began less than a week before it: everything would be new there, and may not be
 */
export function isNew(
  { plan }: Asked,
  { hits }: Pick<BotRow, 'hits'>,
  first: number | undefined,
): boolean | null {
  if (hits === 0 || first === undefined) return false;
  const day = plan.dayAt(first);
  if (day <= plan.to - NEW_DAYS || day > plan.to) return false;
  return plan.dataSince !== null && day < dayOf(plan.dataSince) + NEW_DAYS ? null : true;
}

export interface BotsTogether extends Figures {
  readonly bots: number;
  readonly previous_hits: number;
  /** Those that came in one of the periods. */
  readonly names: readonly string[];
  /** Of both periods. */
  readonly days: readonly number[];
}

/** What of the days of both periods is of the period itself. */
const seriesOf = ({ plan }: Asked, days: readonly number[]): readonly number[] =>
  days.slice(plan.from - (plan.previousFrom ?? plan.from));

/** Hits and pages against those before. */
function comparedPages(
  asked: Asked,
  { days, previous_pages: pages }: Pick<BotTotals, 'days' | 'previous_pages'>,
) {
  const { previous: hits, ...change } = compared(asked, comparedDays(asked, days));
  return { previous: hits === null ? null : { ...hits, pages }, ...change };
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
    estimated_verified: sum('estimated_verified'),
    estimated_spoofed: sum('estimated_spoofed'),
    estimated_unknown: sum('estimated_unknown'),
    estimated_ok: sum('estimated_ok'),
    estimated_redirects: sum('estimated_redirects'),
    estimated_client_errors: sum('estimated_client_errors'),
    estimated_server_errors: sum('estimated_server_errors'),
    first_at: seen.reduce((first, row) => Math.min(first, row.first_at), seen[0]?.first_at ?? 0),
    last_at: seen.reduce((last, row) => Math.max(last, row.last_at), 0),
    bots: new Set(seen.map(({ bot }) => bot)).size,
    previous_hits: sum('previous_hits'),
    names: [...new Set(rows.flatMap((row) => (row.hits > 0 || row.previous_hits > 0 ? [row.bot] : [])))],
    days: (rows[0]?.days ?? []).map((_, day) =>
      rows.reduce((total, { days: of }) => total + (of[day] ?? 0), 0),
    ),
  };
}

const seriesShape = {
  hits: z.number(),
  ...intentsShape,
  verified: z.number(),
  spoofed: z.number(),
  unknown: z.number(),
  estimated: estimatedSchema,
  estimates: estimatesSchema,
};
export const botSeriesSchema = z.array(daySchema.extend(seriesShape));
export const byIntentSchema = z.array(
  z.object({
    intent: z.enum(INTENT_NAMES),
    hits: z.number(),
    estimated: z.number(),
    ...comparedShape,
  }),
);
export const botTotalsSchema = z.object({
  ...figuresShape,
  bots: z.number().int(),
  vendors: z.number().int(),
  ...readShape,
  gone: z.number().int().openapi({
    description:
      'Rows of the list beyond those: they came in the period before and not in this one. 0 where nothing is compared',
  }),
  previous,
  ...changeShape,
});

export function botTotalsView(
  asked: Asked,
  { totals, rows }: Pick<BotReading, 'totals' | 'rows'>,
): z.infer<typeof botTotalsSchema> {
  const { bots, vendors, pages, files } = totals;
  return {
    ...figures(totals),
    bots,
    vendors,
    pages,
    files,
    gone: rows.filter(({ hits }) => hits === 0).length,
    ...comparedPages(asked, totals),
  };
}

export function byIntentView(asked: Asked, bots: readonly BotRow[]): z.infer<typeof byIntentSchema> {
  return INTENT_NAMES.map((intent) => {
    const { hits, estimated, days } = together(
      bots.filter((bot) => (bot.intent === '' ? 'other' : bot.intent) === intent),
    );
    return {
      intent,
      hits: rounded(hits),
      estimated: rounded(estimated),
      ...compared(asked, comparedDays(asked, days)),
    };
  });
}

/** The days of bots that were read. What of them stands on samples is asked for where something does, which is seldom. */
export const readDays = async (asked: Asked, bots: readonly BotRow[]): Promise<DayCount[]> =>
  bots.some((row) => row.estimated > 0 || row.estimated_spoofed > 0)
    ? await botDays(asked.warehouse, asked, asked.signal)
    : daysOf(asked, bots);

/** As `botDays` would ask for them. */
const daysOf = ({ plan }: Asked, bots: readonly BotRow[]): DayCount[] =>
  bots.flatMap(({ intent, verified_series: verified, spoofed_series: spoofed, unknown_series: unknown }) =>
    verified.flatMap((hits, index) => {
      const of = { day: plan.from + index, intent, estimated: 0 };
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
  const byDay = new Map<number, Record<'counts' | 'estimated', ReturnType<typeof empty>>>();
  for (const { day, intent, verified, hits, estimated } of days) {
    const sums = byDay.get(day) ?? { counts: empty(), estimated: empty() };
    byDay.set(day, sums);
    const names = [
      ...(verified !== false || population === 'all'
        ? (['hits', INTENT_NAMES.find((name) => name === intent) ?? 'other'] as const)
        : []),
      verified === null ? 'unknown' : verified ? 'verified' : 'spoofed',
    ] as const;
    for (const name of names) {
      sums.counts[name] += hits;
      sums.estimated[name] += estimated;
    }
  }
  return series(plan, (day) => {
    const { counts, estimated } = byDay.get(day) ?? { counts: empty(), estimated: empty() };
    const { hits, ...others } = estimated;
    return { ...roundedAll(counts), estimated: rounded(hits), estimates: estimates(others) };
  });
}
