/** What several reports say of bots: sums of their rows, intents, days, and which bot is new. */
import { z } from '@hono/zod-openapi';
import { dayOf, sum } from '../common/index.ts';
import { type BotRow, botDays, type DayCount, type Figures } from '../warehouse/index.ts';
import { daySchema, previousSeries, previousSeriesOf, type ReportContext, series } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema } from './estimates.ts';
import { compared, comparedDays, comparedShape, INTENT_NAMES, intentsShape } from './figures.ts';
import { rounded, roundedAll } from './numbers.ts';

/** The last days of a period, in which a bot that came first is new; and so long must data have been there before. */
const NEW_DAYS = 7;

/**
 * Whether a bot is new: its first visit of all lies in the last week of the period.
 * @returns null where data began less than a week before it: everything would be new there, and may not be
 */
export function isNew(
  { plan }: ReportContext,
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
  readonly failed_days: readonly number[];
}

/** Several bots as one. */
export function together(rows: readonly BotRow[]): BotsTogether {
  const seen = rows.filter(({ hits }) => hits > 0);
  const sumOf = (of: Exclude<keyof Figures, 'first_at' | 'last_at'> | 'previous_hits') =>
    sum(rows, (row) => row[of]);
  const byDay = (of: 'days' | 'failed_days') =>
    (rows[0]?.[of] ?? []).map((_, day) => sum(rows, (row) => row[of][day] ?? 0));
  return {
    hits: sumOf('hits'),
    estimated: sumOf('estimated'),
    verified: sumOf('verified'),
    spoofed: sumOf('spoofed'),
    unknown: sumOf('unknown'),
    bytes: sumOf('bytes'),
    ok: sumOf('ok'),
    redirects: sumOf('redirects'),
    client_errors: sumOf('client_errors'),
    server_errors: sumOf('server_errors'),
    estimated_verified: sumOf('estimated_verified'),
    estimated_spoofed: sumOf('estimated_spoofed'),
    estimated_unknown: sumOf('estimated_unknown'),
    estimated_ok: sumOf('estimated_ok'),
    estimated_redirects: sumOf('estimated_redirects'),
    estimated_client_errors: sumOf('estimated_client_errors'),
    estimated_server_errors: sumOf('estimated_server_errors'),
    first_at: seen.reduce((first, row) => Math.min(first, row.first_at), seen[0]?.first_at ?? 0),
    last_at: seen.reduce((last, row) => Math.max(last, row.last_at), 0),
    bots: new Set(seen.map(({ bot }) => bot)).size,
    previous_hits: sumOf('previous_hits'),
    names: [...new Set(rows.flatMap((row) => (row.hits > 0 || row.previous_hits > 0 ? [row.bot] : [])))],
    days: byDay('days'),
    failed_days: byDay('failed_days'),
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
const previousShape = {
  ...{ hits: z.number(), ...intentsShape },
  ...{ verified: z.number(), spoofed: z.number(), unknown: z.number() },
};
export const previousBotSeriesSchema = previousSeriesOf(previousShape);

export const byIntentSchema = z.array(
  z.object({
    intent: z.enum(INTENT_NAMES),
    hits: z.number(),
    estimated: z.number(),
    ...comparedShape,
  }),
);
export function byIntent(context: ReportContext, bots: readonly BotRow[]): z.infer<typeof byIntentSchema> {
  return INTENT_NAMES.map((intent) => {
    const { hits, estimated, days } = together(
      bots.filter((bot) => (bot.intent === '' ? 'other' : bot.intent) === intent),
    );
    return {
      intent,
      hits: rounded(hits),
      estimated: rounded(estimated),
      ...compared(context, comparedDays(context, days)),
    };
  });
}

/** The days of bots that were read. The part from samples is requested if there is one, which is rare. */
export const readDays = async (context: ReportContext, bots: readonly BotRow[]): Promise<DayCount[]> =>
  bots.some((row) => row.estimated > 0 || row.estimated_spoofed > 0)
    ? await botDays(context.warehouse, context, context.signal)
    : daysOf(context, bots);

/** As `botDays` would ask for them. */
const daysOf = ({ plan }: ReportContext, bots: readonly BotRow[]): DayCount[] => {
  const first = plan.previous?.from ?? plan.from;
  return bots.flatMap(
    ({ intent, verified_series: verified, spoofed_series: spoofed, unknown_series: unknown }) =>
      verified.flatMap((hits, index) => {
        const of = { day: first + index, intent, estimated: 0 };
        return [
          { ...of, verified: true, hits },
          { ...of, verified: false, hits: spoofed[index] ?? 0 },
          { ...of, verified: null, hits: unknown[index] ?? 0 },
        ];
      }),
  );
};

const EMPTY = {
  ...{ hits: 0, training: 0, search: 0, on_demand: 0, other: 0, verified: 0, spoofed: 0, unknown: 0 },
} as const;
type BotCounts = Record<keyof typeof EMPTY, number>;
export interface Counted {
  readonly counts: Readonly<BotCounts>;
  /** The part that comes from samples. */
  readonly estimated: Readonly<BotCounts>;
}
const NOTHING: Counted = { counts: EMPTY, estimated: EMPTY };

/** Hits by intent and verdict, of each day or whatever the rows are told apart by. */
export function countsBy<Row extends Omit<DayCount, 'day'>>(
  population: ReportContext['population'],
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): (key: number) => Counted {
  const byKey = new Map<number, { counts: BotCounts; estimated: BotCounts }>();
  for (const row of rows) {
    const { intent, verified, hits, estimated } = row;
    const sums = byKey.get(keyOf(row)) ?? { counts: { ...EMPTY }, estimated: { ...EMPTY } };
    byKey.set(keyOf(row), sums);
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
  return (key) => byKey.get(key) ?? NOTHING;
}

export const countsView = ({ counts, estimated: { hits, ...others } }: Counted) => ({
  ...roundedAll(counts),
  estimated: rounded(hits),
  estimates: estimates(others),
});

export function botSeries(
  { plan, population }: ReportContext,
  days: readonly DayCount[],
): z.infer<typeof botSeriesSchema> {
  const of = countsBy(population, days, ({ day }) => day);
  return series(plan, (day) => countsView(of(day)));
}

export function previousBotSeries(
  context: ReportContext,
  days: readonly DayCount[],
): z.infer<typeof previousBotSeriesSchema> {
  const of = countsBy(context.population, days, ({ day }) => day);
  return previousSeries(context, (day) => roundedAll({ ...of(day).counts }));
}
