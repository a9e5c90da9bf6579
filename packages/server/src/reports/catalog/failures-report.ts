/** What AI bots could not read, and what to fix first. */

import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import {
  type FailingPageRow,
  type FailureDay,
  type FailureGroup,
  type FailureKind,
  type FailureRow,
  failureDays,
  failureList,
  failureStatuses,
  type ListPage,
  type ListRequest,
  readList,
  readLists,
  type StatusRow,
} from '../../warehouse/index.ts';
import { defineTable, type ItemOf, integer, number, text, time } from '../columns.ts';
import {
  daySchema,
  everyDay,
  previousSeries,
  previousSeriesOf,
  type ReportContext,
  series,
} from '../context.ts';
import { estimates, estimatesOf, estimatesSchema, within } from '../estimates.ts';
import { comparedFailures, comparedFailuresShape } from '../figures.ts';
import {
  costliest,
  FAILING_PAGES,
  fixedOf,
  fixedSchema,
  fixFirst,
  fixFirstSchema,
  statusesOf,
  statusesSchema,
} from '../fix-first.ts';
import { readFixed } from '../fixed.ts';
import { pageOf, readWhole, requestOf, type WarehouseList } from '../listing.ts';
import { moment, part, rounded, roundedAll } from '../numbers.ts';
import { defineList } from '../report.ts';

const FIX_FIRST = 10;
/** The row of `failureStatuses` that is about all of them. */
const ALL_STATUSES = 0;

/** The other counts of a row. */
const COUNTS = {
  hits: number('Visits', 'visits'),
  redirects: number('Redirects', 'visits'),
  client_errors: number('Errors 4xx', 'visits'),
  server_errors: number('Errors 5xx', 'visits'),
  on_demand: number('On demand', 'visits'),
  spoofed: number('Spoofed', 'visits'),
} as const;
const COUNT_NAMES = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

const table = defineTable('FailureItem', {
  host: text('Host'),
  path: text('Path'),
  bot: text('Bot'),
  vendor: text('Vendor'),
  intent: text('Intent'),
  failures: number('Failures', 'visits'),
  hits: COUNTS.hits,
  failing_share: number('Failing share', 'fraction'),
  estimated: number('Failures, estimated', 'visits', 'The part that comes from samples'),
  redirects: COUNTS.redirects,
  client_errors: COUNTS.client_errors,
  server_errors: COUNTS.server_errors,
  estimates: estimatesOf(COUNTS),
  statuses: {
    schema: statusesSchema,
    file: [{ name: '0.status', type: 'integer', unit: null, title: 'Most frequent status' }],
  },
  bots: integer('Bots', 'bots'),
  on_demand: COUNTS.on_demand,
  spoofed: COUNTS.spoofed,
  first_failure: time('First failure'),
  last_failure: time('Last failure'),
  score: number('Score', 'points'),
});

const totalsSchema = z.object({
  failures: z.number(),
  hits: z.number(),
  failing_share: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  estimated: z.number().openapi({ description: 'The part of `failures` that comes from samples' }),
  spoofed: z.number().openapi({
    description: 'Failures of spoofed visits: not in `failures`, unless the population is `all`',
  }),
  estimates: estimatesSchema,
  paths: z.number().int(),
  bots: z.number().int(),
  ...comparedFailuresShape,
});

const statusSchema = z.array(
  z.object({
    status: z.number().int(),
    hits: z.number(),
    estimated: z.number(),
    bots: z.number().int(),
    paths: z.number().int(),
  }),
);
const seriesSchema = z.array(
  daySchema.extend({
    hits: z.number(),
    redirects: z.number(),
    client_errors: z.number(),
    server_errors: z.number(),
    estimates: estimatesSchema,
  }),
);
const previousSeriesSchema = previousSeriesOf({
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
});

export const failures = defineList({
  name: 'failures',
  path: 'failures',
  summary: 'Failed requests of AI bots, and what to fix first',
  schema: 'FailureReport',
  parameters: {
    group: z.enum(['page', 'bot', 'bot_page']).default('page'),
    kind: z
      .enum(['error', 'client_error', 'server_error', 'redirect'])
      .default('error')
      .openapi({ description: 'error: 4xx and 5xx' }),
  },
  sorts: ['failures', 'score', 'path', 'bot', 'last_seen', 'failing_share'],
  tables: [table],
  around: {
    totals: totalsSchema,
    by_status: statusSchema,
    series: seriesSchema,
    previous_series: previousSeriesSchema,
    fix_first: fixFirstSchema,
    fixed: fixedSchema,
  },
  async run(context, parameters) {
    const { group, kind } = parameters;
    const { warehouse, signal } = context;
    // What asks twice, one question after the other, begins first, so that it doesn't run alone at the end.
    const [{ page, worst }, statuses, days] = await Promise.all([
      readFailures(context, parameters, requestOf(parameters)),
      failureStatuses(warehouse, context, kind, signal),
      failureDays(warehouse, context, kind, signal),
    ]);
    const fixed = await readFixed(context, worst);
    return {
      ...pageOf(context, listOf(group, kind), page),
      totals: totalsOf(context, kind, days, statuses),
      by_status: byStatus(statuses),
      series: seriesOf(context, days),
      previous_series: previousOf(context, days),
      fix_first: fixFirst(worst, fixed, FIX_FIRST),
      fixed: fixedOf(context, worst, fixed),
    };
  },
  whole: (context, { group, kind }) => readWhole(context, listOf(group, kind)),
});

const listOf = (group: FailureGroup, kind: FailureKind): WarehouseList<FailureRow, ItemOf<typeof table>> => ({
  spec: failureList(group, kind),
  items: (_, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      bot: row.bot,
      vendor: row.vendor,
      intent: row.intent,
      ...roundedAll({ failures: row.failures, hits: row.hits }),
      failing_share: part(row.failures, row.hits),
      ...roundedAll({
        estimated: row.estimated,
        redirects: row.redirects,
        client_errors: row.client_errors,
        server_errors: row.server_errors,
      }),
      estimates: estimates({
        ...Object.fromEntries(COUNT_NAMES.map((name) => [name, row[`estimated_${name}`]])),
        ...within('statuses', row.estimated_statuses),
      }),
      statuses: statusesOf(row),
      bots: row.bots,
      ...roundedAll({ on_demand: row.on_demand, spoofed: row.spoofed }),
      first_failure: moment(row.first_at),
      last_failure: moment(row.last_at),
      score: rounded(row.score),
    })),
});

/** What of a day's counts is of a kind. */
const FAILURES_OF: Readonly<Record<FailureKind, (day: FailureDay) => number>> = {
  error: (day) => day.client_errors + day.server_errors,
  client_error: (day) => day.client_errors,
  server_error: (day) => day.server_errors,
  redirect: (day) => day.redirects,
};

/** Hits are the days' sum; paths and bots, which several days or statuses share, are told apart by the warehouse. */
function totalsOf(
  context: ReportContext,
  kind: FailureKind,
  days: readonly FailureDay[],
  statuses: readonly StatusRow[],
): z.infer<typeof totalsSchema> {
  const now = days.filter(({ day }) => day >= context.plan.from);
  const failures = sum(now, FAILURES_OF[kind]);
  const hits = sum(now, (day) => day.hits);
  const all = statuses.find(({ status }) => status === ALL_STATUSES);
  return {
    ...roundedAll({ failures, hits }),
    failing_share: part(failures, hits),
    redirects: rounded(sum(now, (day) => day.redirects)),
    client_errors: rounded(sum(now, (day) => day.client_errors)),
    server_errors: rounded(sum(now, (day) => day.server_errors)),
    ...roundedAll({ estimated: sum(now, (day) => day.estimated), spoofed: sum(now, (day) => day.spoofed) }),
    estimates: estimates({
      hits: sum(now, (day) => day.estimated_hits),
      redirects: sum(now, (day) => day.estimated_redirects),
      client_errors: sum(now, (day) => day.estimated_client_errors),
      server_errors: sum(now, (day) => day.estimated_server_errors),
      spoofed: sum(now, (day) => day.estimated_spoofed),
    }),
    paths: all?.paths ?? 0,
    bots: all?.bots ?? 0,
    ...comparedFailures(context, everyDay(context.plan, days, FAILURES_OF[kind])),
  };
}

const byStatus = (statuses: readonly StatusRow[]): z.infer<typeof statusSchema> =>
  statuses.filter(({ status }) => status !== ALL_STATUSES).map(roundedAll);

function seriesOf({ plan }: ReportContext, days: readonly FailureDay[]): z.infer<typeof seriesSchema> {
  const byDay = new Map(
    days.map(({ day, hits, redirects, client_errors, server_errors, ...of }) => [
      day,
      {
        ...roundedAll({ hits, redirects, client_errors, server_errors }),
        estimates: estimates({
          hits: of.estimated_hits,
          redirects: of.estimated_redirects,
          client_errors: of.estimated_client_errors,
          server_errors: of.estimated_server_errors,
        }),
      },
    ]),
  );
  const none = { hits: 0, redirects: 0, client_errors: 0, server_errors: 0, estimates: {} };
  return series(plan, (day) => byDay.get(day) ?? none);
}

function previousOf(
  context: ReportContext,
  days: readonly FailureDay[],
): z.infer<typeof previousSeriesSchema> {
  const byDay = new Map(days.map((day) => [day.day, day]));
  return previousSeries(context, (day) => {
    const { redirects = 0, client_errors = 0, server_errors = 0 } = byDay.get(day) ?? {};
    return roundedAll({ redirects, client_errors, server_errors });
  });
}

/** A page of the list, and the pages whose failures cost most; counted together where the list is one of failing pages. */
async function readFailures(
  context: ReportContext,
  { group, kind }: { readonly group: FailureGroup; readonly kind: FailureKind },
  request: ListRequest,
): Promise<{ readonly page: ListPage<FailureRow>; readonly worst: readonly FailingPageRow[] }> {
  const { warehouse, signal } = context;
  const failing = async (requests: readonly ListRequest[]) =>
    await readLists<FailingPageRow>(warehouse, context, FAILING_PAGES, requests, signal);
  const worst = costliest(FIX_FIRST);
  const [page, costly] =
    group === 'page' && kind === 'error'
      ? await failing([request, worst])
      : await Promise.all([
          readList<FailureRow>(warehouse, context, failureList(group, kind), request, signal),
          failing([worst]).then(([only]) => only),
        ]);
  if (page === undefined || costly === undefined) throw new Error('Each request has its page');
  return { page, worst: costly.items };
}
