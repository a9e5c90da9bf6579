/** What AI bots could not read, and what to mend first. */
import { z } from '@hono/zod-openapi';
import {
  type FailureDay,
  type FailureGroup,
  type FailureKind,
  type FailureRow,
  type FailureTotals,
  failureList,
  readList,
} from '../warehouse/index.ts';
import { type Asked, daySchema, series } from './context.ts';
import { REASONS, reasonOf } from './failure-reason.ts';
import type { Listing } from './listing.ts';
import { changeOf, moment, part, rounded, roundedAll, share } from './numbers.ts';

export const FAILURE_GROUPS = ['page', 'bot', 'bot_page'] as const;
export const FAILURE_KINDS = ['error', 'client_error', 'server_error', 'redirect'] as const;
export const FAILURE_SORTS = ['failures', 'score', 'path', 'bot', 'last_seen', 'failing_share'] as const;
const SHOWN_STATUSES = 5;
const FIX_FIRST = 10;

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
  estimated: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  statuses: statusesSchema,
  bots: z.number().int(),
  on_demand: z.number(),
  spoofed: z.number(),
  first_failure: z.iso.datetime().nullable(),
  last_failure: z.iso.datetime().nullable(),
  score: z.number(),
});

export const failureListing = (
  group: FailureGroup,
  kind: FailureKind,
): Listing<FailureRow, z.infer<typeof failureItemSchema>> => ({
  spec: failureList(group, kind),
  columns: Object.keys(failureItemSchema.shape).map((name) =>
    name === 'statuses' ? 'statuses.0.status' : name,
  ),
  items: (_, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      bot: row.bot,
      vendor: row.vendor,
      intent: row.intent,
      ...roundedAll({ failures: row.failures, hits: row.hits }),
      failing_share: share(row.failing_share),
      ...roundedAll({
        estimated: row.estimated,
        redirects: row.redirects,
        client_errors: row.client_errors,
        server_errors: row.server_errors,
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
  pages: z.number().int(),
  bots: z.number().int(),
  previous: z.object({ failures: z.number() }).nullable(),
  change: z.number().nullable(),
});

export function failureTotalsView(
  { compare }: Asked,
  totals: FailureTotals,
): z.infer<typeof failureTotalsSchema> {
  const { failures, hits, redirects, client_errors, server_errors, pages, bots, previous_failures } = totals;
  return {
    ...roundedAll({ failures, hits }),
    failing_share: part(failures, hits),
    ...roundedAll({ redirects, client_errors, server_errors }),
    pages,
    bots,
    previous: compare ? { failures: rounded(previous_failures) } : null,
    change: compare ? changeOf(failures, previous_failures) : null,
  };
}

export const statusSchema = z.array(
  z.object({ status: z.number().int(), hits: z.number(), bots: z.number().int(), pages: z.number().int() }),
);
export const failureSeriesSchema = z.array(
  daySchema.extend({
    hits: z.number(),
    redirects: z.number(),
    client_errors: z.number(),
    server_errors: z.number(),
  }),
);

export function failureSeries(
  { plan }: Asked,
  days: readonly FailureDay[],
): z.infer<typeof failureSeriesSchema> {
  const byDay = new Map(days.map(({ day, ...counts }) => [day, roundedAll(counts)]));
  const none = { hits: 0, redirects: 0, client_errors: 0, server_errors: 0 };
  return series(plan, (day) => byDay.get(day) ?? none);
}

export const fixFirstSchema = z.array(
  z.object({
    host: z.string(),
    path: z.string(),
    score: z.number(),
    failures: z.number(),
    hits: z.number(),
    on_demand: z.number(),
    status: z.number().int().openapi({ description: 'The most frequent of its failures' }),
    bots: z.number().int(),
    reason: z.enum(REASONS),
    text: z.string(),
  }),
);

/** The pages whose failures cost most, each with the one reason that weighs heaviest. */
export async function fixFirst(asked: Asked, limit = FIX_FIRST): Promise<z.infer<typeof fixFirstSchema>> {
  const { warehouse, signal } = asked;
  const request = { sort: 'score', order: 'desc', limit, page: 1 } as const;
  const spec = failureList('page', 'error');
  const { items } = await readList<FailureRow>(warehouse, asked, spec, request, signal);
  return items
    .filter(({ score }) => score > 0)
    .map((row) => ({
      host: row.host,
      path: row.path,
      score: rounded(row.score),
      ...roundedAll({ failures: row.failures, hits: row.hits, on_demand: row.on_demand }),
      status: statusesOf(row)[0]?.status ?? 0,
      bots: row.bots,
      ...reasonOf(row),
    }));
}
