/** Which failing pages to fix first, and what a row of failures says of itself. */
import { z } from '@hono/zod-openapi';
import { dateOf } from '../common/index.ts';
import { type FailingPageRow, type FailureRow, failingPages, type ListRequest } from '../warehouse/index.ts';
import type { ReportContext } from './context.ts';
import { estimatedSchema, estimates, estimatesSchema } from './estimates.ts';
import { REASONS, reasonOf } from './failure-reason.ts';
import type { Fixed } from './fixed.ts';
import { rounded, roundedAll } from './numbers.ts';

const SHOWN_STATUSES = 5;

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
    status: z.number().int().openapi({
      description: 'The status that `text` names: the most frequent of the failures that `why` is about',
    }),
    bots: z.number().int(),
    reason: z.enum(REASONS),
    title: z.string().openapi({ description: 'What to do, in a few words' }),
    why: z.string().openapi({ description: 'What happened, without the status' }),
    fix: z.string().openapi({ description: 'What likely fixes it' }),
    text: z.string().openapi({ description: '`why` and `fix`, with the status' }),
  }),
);

/** By page, errors of either side: what to fix is found among them. */
export const FAILING_PAGES = failingPages('error');

/** Some more than are shown, because those that are fixed already are left out. */
export const costliest = (limit: number): ListRequest => ({
  ...{ sort: 'score', order: 'desc', page: 1 },
  limit: limit * 2,
});

/** Each with the one reason that weighs heaviest, without those that answer well again. */
export const fixFirst = (
  rows: readonly FailingPageRow[],
  { since, isPublished }: Fixed,
  limit: number,
): z.infer<typeof fixFirstSchema> => {
  const pages = rows
    .filter(({ score, number }) => score > 0 && !since.has(number))
    .map((row) => ({
      host: row.host,
      path: row.path,
      score: rounded(row.score),
      ...roundedAll({ failures: row.failures, hits: row.hits, on_demand: row.on_demand }),
      estimated: rounded(row.estimated),
      estimates: estimates({ hits: row.estimated_hits, on_demand: row.estimated_on_demand }),
      bots: row.bots,
      ...reasonOf(row, isPublished(row.host)),
    }));
  return ofEveryFix(pages, limit);
};

/** The first ones, and of every fix at least its first one: fewer pages that one fix helps are missed less than a whole kind of failures. */
export function ofEveryFix<Page extends { readonly fix: string }>(
  pages: readonly Page[],
  limit: number,
): Page[] {
  const heads = new Set(pages.filter(({ fix }, at) => pages.findIndex((one) => one.fix === fix) === at));
  const room = Math.max(0, limit - heads.size);
  const others = new Set(pages.filter((page) => !heads.has(page)).slice(0, room));
  return pages.filter((page) => heads.has(page) || others.has(page)).slice(0, limit);
}

export const fixedSchema = z
  .array(
    z.object({
      host: z.string(),
      path: z.string(),
      failures: z.number(),
      estimated: estimatedSchema,
      since: z.iso.date(),
    }),
  )
  .openapi({
    description:
      'Pages that would be in `fix_first`, but that have answered well since that day: so often that the cause is gone, or because a WebMCP manifest was published',
  });

/** Those of them that answer well again, most urgent first. */
export const fixedOf = (
  { plan }: Pick<ReportContext, 'plan'>,
  rows: readonly FailingPageRow[],
  { since }: Fixed,
): z.infer<typeof fixedSchema> =>
  rows.flatMap(({ number, score, host, path, failures, estimated }) => {
    const at = since.get(number);
    return score <= 0 || at === undefined
      ? []
      : [{ host, path, ...roundedAll({ failures, estimated }), since: dateOf(plan.dayAt(at)) }];
  });

export const statusesSchema = z.array(z.object({ status: z.number().int(), hits: z.number() }));

/** The statuses of a row, most frequent first. */
export function statusesOf({ statuses }: FailureRow): z.infer<typeof statusesSchema> {
  return Object.entries(statuses)
    .map(([status, hits]) => ({ status: Number(status), hits: rounded(hits) }))
    .sort((a, b) => b.hits - a.hits || a.status - b.status)
    .slice(0, SHOWN_STATUSES);
}
