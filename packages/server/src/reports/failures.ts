/** What AI bots could not read, and what to mend first. */
import { z } from '@hono/zod-openapi';
import {
  type FailureDay,
  type FailureGroup,
  type FailureKind,
  type FailureRow,
  failureList,
  type ListPage,
  type ListRequest,
  type ListSpec,
  readLists,
  type StatusRow,
} from '../warehouse/index.ts';
import { changeShape } from './comparison.ts';
import { type Asked, daySchema, everyDay, series } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema, within } from './estimates.ts';
import { REASONS, reasonOf } from './failure-reason.ts';
import { changed, comparedDays, comparedShape } from './figures.ts';
import type { Listing } from './listing.ts';
import { moment, part, rounded, roundedAll } from './numbers.ts';

export const FAILURE_GROUPS = ['page', 'bot', 'bot_page'] as const;
export const FAILURE_KINDS = ['error', 'client_error', 'server_error', 'redirect'] as const;
export const FAILURE_SORTS = ['failures', 'score', 'path', 'bot', 'last_seen', 'failing_share'] as const;
const SHOWN_STATUSES = 5;
const FIX_FIRST = 10;
/** The row of `failureStatuses` that is about all of them. */
const ALL_STATUSES = 0;

const statusesSchema = z.array(z.object({ status: z.number().int(), hits: z.number() }));
export const failureItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  bot: z.string(),
  vendor: z.string(),
  intent: z.string(),
  failures: z.number(),
  hits: z.number(),
  failing_share: z.number(),
  estimated: estimatedSchema,
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  estimates: estimatesSchema,
  statuses: statusesSchema,
  bots: z.number().int(),
  on_demand: z.number(),
  spoofed: z.number(),
  first_failure: z.iso.datetime().nullable(),
  last_failure: z.iso.datetime().nullable(),
  score: z.number(),
});

/** The other counts of a row. */
const COUNTS = [
  ...(['hits', 'redirects', 'client_errors', 'server_errors', 'on_demand', 'spoofed'] as const),
];

export const failureListing = (
  group: FailureGroup,
  kind: FailureKind,
): Listing<FailureRow, z.infer<typeof failureItemSchema>> => ({
  spec: failureList(group, kind),
  columns: Object.keys(failureItemSchema.shape).flatMap((name) =>
    name === 'statuses'
      ? 'statuses.0.status'
      : name === 'estimates'
        ? COUNTS.map((count) => `estimates.${count}`)
        : name,
  ),
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
        ...Object.fromEntries(COUNTS.map((name) => [name, row[`estimated_${name}`]])),
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

function statusesOf({ statuses }: FailureRow): z.infer<typeof statusesSchema> {
  return Object.entries(statuses)
    .map(([status, hits]) => ({ status: Number(status), hits: rounded(hits) }))
    .sort((a, b) => b.hits - a.hits || a.status - b.status)
    .slice(0, SHOWN_STATUSES);
}

export const failureTotalsSchema = z.object({
  failures: z.number(),
  hits: z.number(),
  failing_share: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  estimated: z.number().openapi({ description: 'What of `failures` stands on samples' }),
  spoofed: z.number().openapi({
    description: 'Failures under a stolen name: beside `failures`; of them where the population is `all`',
  }),
  estimates: estimatesSchema,
  paths: z.number().int(),
  bots: z.number().int(),
  previous: z
    .object({ failures: z.number(), compared_with: comparedShape.previous.unwrap().shape.compared_with })
    .nullable(),
  ...changeShape,
});

/** What of a day's counts is of a kind. */
const FAILURES_OF: Readonly<Record<FailureKind, (day: FailureDay) => number>> = {
  error: (day) => day.client_errors + day.server_errors,
  client_error: (day) => day.client_errors,
  server_error: (day) => day.server_errors,
  redirect: (day) => day.redirects,
};

/** Hits are the days' sum; paths and bots, which several days or statuses share, are told apart by the warehouse. */
export function failureTotalsView(
  asked: Asked,
  kind: FailureKind,
  days: readonly FailureDay[],
  statuses: readonly StatusRow[],
): z.infer<typeof failureTotalsSchema> {
  const sum = (of: readonly FailureDay[], value: (day: FailureDay) => number) =>
    of.reduce((total, day) => total + value(day), 0);
  const now = days.filter(({ day }) => day >= asked.plan.from);
  const both = comparedDays(asked, everyDay(asked.plan, days, FAILURES_OF[kind]));
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
    previous: asked.compare
      ? { failures: rounded(both.previous_hits), compared_with: rounded(both.compared_hits) }
      : null,
    ...changed(asked, both),
  };
}

export const statusSchema = z.array(
  z.object({
    status: z.number().int(),
    hits: z.number(),
    estimated: z.number(),
    bots: z.number().int(),
    paths: z.number().int(),
  }),
);
export const statusesView = (statuses: readonly StatusRow[]): z.infer<typeof statusSchema> =>
  statuses.filter(({ status }) => status !== ALL_STATUSES).map(roundedAll);

export const failureSeriesSchema = z.array(
  daySchema.extend({
    hits: z.number(),
    redirects: z.number(),
    client_errors: z.number(),
    server_errors: z.number(),
    estimates: estimatesSchema,
  }),
);

export function failureSeries(
  { plan }: Asked,
  days: readonly FailureDay[],
): z.infer<typeof failureSeriesSchema> {
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

export const fixFirstSchema = z.array(
  z.object({
    host: z.string(),
    path: z.string(),
    score: z.number(),
    failures: z.number(),
    estimated: estimatedSchema,
    hits: z.number(),
    on_demand: z.number(),
    estimates: estimatesSchema,
    status: z.number().int().openapi({ description: 'The most frequent of its failures' }),
    bots: z.number().int(),
    reason: z.enum(REASONS),
    text: z.string(),
  }),
);

/** By page, errors of either side: what is to be mended is found among them. */
export const FAILING_PAGES = failureList('page', 'error');

export const costliest = (limit: number): ListRequest => ({ sort: 'score', order: 'desc', limit, page: 1 });

/** A page of the list, and the pages whose failures cost most; counted together where the list is one of failing pages. */
export async function readFailures(
  asked: Asked,
  { group, kind }: { readonly group: FailureGroup; readonly kind: FailureKind },
  request: ListRequest,
): Promise<{ readonly page: ListPage<FailureRow>; readonly worst: readonly FailureRow[] }> {
  const { warehouse, signal } = asked;
  const read = async (spec: ListSpec, requests: readonly ListRequest[]) =>
    await readLists<FailureRow>(warehouse, asked, spec, requests, signal);
  const worst = costliest(FIX_FIRST);
  const [page, costly] =
    group === 'page' && kind === 'error'
      ? await read(FAILING_PAGES, [request, worst])
      : (await Promise.all([read(failureList(group, kind), [request]), read(FAILING_PAGES, [worst])])).flat();
  if (page === undefined || costly === undefined) throw new Error('Each request has its page');
  return { page, worst: costly.items };
}

/** Each with the one reason that weighs heaviest. */
export const fixFirst = (rows: readonly FailureRow[]): z.infer<typeof fixFirstSchema> =>
  rows
    .filter(({ score }) => score > 0)
    .map((row) => ({
      host: row.host,
      path: row.path,
      score: rounded(row.score),
      ...roundedAll({ failures: row.failures, hits: row.hits, on_demand: row.on_demand }),
      estimated: rounded(row.estimated),
      estimates: estimates({ hits: row.estimated_hits, on_demand: row.estimated_on_demand }),
      status: statusesOf(row)[0]?.status ?? 0,
      bots: row.bots,
      ...reasonOf(row),
    }));
