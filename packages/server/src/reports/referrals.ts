/** Whom AI products sent, and where they landed. */
import { z } from '@hono/zod-openapi';
import { type ReferralDay, type ReferralRow, type ReferralTotals, referralList } from '../warehouse/index.ts';
import { changeShape } from './comparison.ts';
import { type Asked, daySchema, everyDay, series } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema, within } from './estimates.ts';
import { changed, comparedDays, comparedShape } from './figures.ts';
import type { Listing } from './listing.ts';
import { moment, rounded, roundedAll } from './numbers.ts';

export const REFERRAL_SORTS = ['visits', 'engine', 'path', 'last_seen', 'change'] as const;
/** A chart of more lines than this can't be read. */
const CHARTED_ENGINES = 8;

const signals = z.object({ referrer: z.number(), app: z.number(), utm_source: z.number() });
export const comparedVisitsShape = {
  previous: z
    .object({ visits: z.number(), compared_with: comparedShape.previous.unwrap().shape.compared_with })
    .nullable(),
  ...changeShape,
} as const;
export const referralItemSchema = z.object({
  engine: z.string(),
  host: z.string(),
  path: z.string(),
  visits: z.number(),
  estimated: z.number(),
  by_signal: signals,
  pages: z.number().int(),
  failed: z.number().openapi({ description: 'Answered with a status of 400 or above' }),
  estimates: estimatesSchema,
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
  ...comparedVisitsShape,
});
export const referralTotalsSchema = z.object({
  visits: z.number(),
  estimated: z.number(),
  engines: z.number().int(),
  pages: z.number().int(),
  by_signal: signals,
  estimates: estimatesSchema,
  ...comparedVisitsShape,
});

type Counts = Omit<ReferralTotals, 'engines'>;
const visits = ({ hits, estimated }: Counts) => roundedAll({ visits: hits, estimated });
const bySignal = ({ by_referrer, by_app, by_utm_source }: Counts) =>
  roundedAll({ referrer: by_referrer, app: by_app, utm_source: by_utm_source });
const estimatedSignals = (row: Counts) =>
  within('by_signal', {
    referrer: row.estimated_by_referrer,
    app: row.estimated_by_app,
    utm_source: row.estimated_by_utm_source,
  });
export const comparedVisits = (asked: Asked, row: Parameters<typeof changed>[1]) => ({
  previous: asked.compare
    ? { visits: rounded(row.previous_hits), compared_with: rounded(row.compared_hits) }
    : null,
  ...changed(asked, row),
});

export const referralListing = (
  group: 'page' | 'engine',
): Listing<ReferralRow, z.infer<typeof referralItemSchema>> => ({
  spec: referralList(group),
  columns: [
    ...['engine', 'host', 'path', 'visits', 'estimated'],
    ...Object.keys(signals.shape).map((name) => `by_signal.${name}`),
    ...['pages', 'failed', 'first_seen', 'last_seen', 'previous.visits', 'previous.compared_with', 'change'],
  ],
  items: (asked, rows) =>
    rows.map((row) => ({
      engine: row.engine,
      host: row.host,
      path: row.path,
      ...visits(row),
      by_signal: bySignal(row),
      pages: row.pages,
      failed: rounded(row.failed),
      estimates: estimates({ ...estimatedSignals(row), failed: row.estimated_failed }),
      first_seen: moment(row.first_at),
      last_seen: moment(row.last_at),
      ...comparedVisits(asked, row),
    })),
});

export const referralTotalsView = (
  asked: Asked,
  totals: ReferralTotals,
  days: readonly ReferralDay[],
): z.infer<typeof referralTotalsSchema> => ({
  ...visits(totals),
  engines: totals.engines,
  pages: totals.pages,
  by_signal: bySignal(totals),
  estimates: estimates(estimatedSignals(totals)),
  ...comparedVisits(
    asked,
    comparedDays(
      asked,
      everyDay(asked.plan, days, (row) => row.visits),
    ),
  ),
});

export const referralSeriesSchema = z.array(
  daySchema.extend({
    visits: z.number(),
    estimated: estimatedSchema,
    engines: z.record(z.string(), z.number()),
    estimates: estimatesSchema,
  }),
);

export function referralSeries(
  { plan }: Asked,
  days: readonly ReferralDay[],
): z.infer<typeof referralSeriesSchema> {
  const byEngine = new Map<string, number>();
  for (const { engine, visits: count } of days.filter(({ day }) => day >= plan.from))
    byEngine.set(engine, (byEngine.get(engine) ?? 0) + count);
  const charted = new Set(
    [...byEngine]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, CHARTED_ENGINES)
      .map(([engine]) => engine),
  );
  const byDay = Map.groupBy(days, ({ day }) => day);
  return series(plan, (day) => {
    const [engines, sampled] = [new Map<string, number>(), new Map<string, number>()];
    let [sum, estimated] = [0, 0];
    for (const { engine, visits: count, estimated: part } of byDay.get(day) ?? []) {
      const name = charted.has(engine) ? engine : 'other';
      engines.set(name, (engines.get(name) ?? 0) + count);
      sampled.set(name, (sampled.get(name) ?? 0) + part);
      sum += count;
      estimated += part;
    }
    return {
      visits: rounded(sum),
      estimated: rounded(estimated),
      engines: Object.fromEntries([...engines].map(([name, count]) => [name, rounded(count)])),
      estimates: estimates(within('engines', Object.fromEntries(sampled))),
    };
  });
}
