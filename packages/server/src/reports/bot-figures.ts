/** What several reports say of bots: sums of their rows, intents, days, and which bot is new. */
import { z } from '@hono/zod-openapi';
import { dayOf } from '../common/index.ts';
import { type BotRow, botDays, type DayCount, type Figures } from '../warehouse/index.ts';
import { daySchema, type ReportContext, series } from './context.ts';
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
const daysOf = ({ plan }: ReportContext, bots: readonly BotRow[]): DayCount[] =>
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
  { plan, population }: ReportContext,
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
