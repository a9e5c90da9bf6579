/** Whom AI products sent, and where they landed. */
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import {
  type ReferralDay,
  type ReferralRow,
  type ReferralTotals,
  referralDays,
  referralList,
  referralTotals,
} from '../../warehouse/index.ts';
import { defineTable, group, type ItemOf, integer, jsonOnly, number, text, time } from '../columns.ts';
import {
  daySchema,
  everyDay,
  previousSeries,
  previousSeriesOf,
  type ReportContext,
  series,
} from '../context.ts';
import { estimates, estimatesSchema, within } from '../estimates.ts';
import { comparedDays, comparedVisits, comparedVisitsColumns, comparedVisitsShape } from '../figures.ts';
import { readPage, readWhole, type WarehouseList } from '../listing.ts';
import { notFiltered, notFilteredSchema } from '../not-filtered.ts';
import { moment, rounded, roundedAll } from '../numbers.ts';
import { byEngine, chartedEngines, engineShape } from '../referral-series.ts';
import { defineList } from '../report.ts';

const signals = group({
  referrer: number('Recognised by the referrer', 'visits'),
  app: number('Recognised by an app', 'visits'),
  utm_source: number('Recognised by utm_source', 'visits'),
});
const table = defineTable('ReferralItem', {
  engine: text('Engine'),
  host: text('Host'),
  path: text('Landing page'),
  visits: number('Visits', 'visits'),
  estimated: number('Visits, estimated', 'visits'),
  by_signal: signals,
  pages: integer('Landing pages', 'pages'),
  failed: number('Failed', 'visits', 'Answered with a status of 400 or above'),
  estimates: jsonOnly(estimatesSchema),
  first_seen: time('First seen'),
  last_seen: time('Last seen'),
  ...comparedVisitsColumns,
});
const totalsSchema = z.object({
  visits: z.number(),
  estimated: z.number(),
  engines: z.number().int(),
  pages: z.number().int(),
  by_signal: signals.schema,
  estimates: estimatesSchema,
  ...comparedVisitsShape,
});
const seriesSchema = z.array(
  daySchema.extend({
    ...engineShape,
  }),
);
const previousSeriesSchema = previousSeriesOf({ visits: z.number() });

export const referrals = defineList({
  name: 'referrals',
  path: 'referrals',
  summary: 'People who came from AI products, by product and landing page',
  schema: 'ReferralReport',
  parameters: { group: z.enum(['page', 'engine']).default('page') },
  sorts: ['visits', 'engine', 'path', 'last_seen', 'change'],
  tables: [table],
  around: {
    totals: totalsSchema,
    series: seriesSchema,
    previous_series: previousSeriesSchema,
    not_filtered: notFilteredSchema,
  },
  async run(context, parameters) {
    const { warehouse, signal } = context;
    const [page, totals, days] = await Promise.all([
      readPage(context, listOf(parameters.group), parameters),
      referralTotals(warehouse, context, signal),
      referralDays(warehouse, context, signal),
    ]);
    return {
      ...page,
      totals: totalsOf(context, totals, days),
      series: seriesOf(context, days),
      previous_series: previousSeries(context, (day) => ({
        visits: rounded(
          sum(
            days.filter((one) => one.day === day),
            (one) => one.visits,
          ),
        ),
      })),
      not_filtered: notFiltered(context.filter),
    };
  },
  whole: (context, { group: by }) => readWhole(context, listOf(by)),
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

const listOf = (group: 'page' | 'engine'): WarehouseList<ReferralRow, ItemOf<typeof table>> => ({
  spec: referralList(group),
  items: (context, rows) =>
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
      ...comparedVisits(context, row),
    })),
});

const totalsOf = (
  context: ReportContext,
  totals: ReferralTotals,
  days: readonly ReferralDay[],
): z.infer<typeof totalsSchema> => ({
  ...visits(totals),
  engines: totals.engines,
  pages: totals.pages,
  by_signal: bySignal(totals),
  estimates: estimates(estimatedSignals(totals)),
  ...comparedVisits(
    context,
    comparedDays(
      context,
      everyDay(context.plan, days, (row) => row.visits),
    ),
  ),
});

function seriesOf({ plan }: ReportContext, days: readonly ReferralDay[]): z.infer<typeof seriesSchema> {
  const charted = chartedEngines(days.filter(({ day }) => day >= plan.from));
  const byDay = Map.groupBy(days, ({ day }) => day);
  return series(plan, (day) => byEngine(byDay.get(day) ?? [], charted));
}
