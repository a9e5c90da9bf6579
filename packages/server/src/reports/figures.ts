/** The numbers that most items have. */
import { z } from '@hono/zod-openapi';
import { type Change, NO_CHANGE, sum } from '../common/index.ts';
import type { Figures } from '../warehouse/index.ts';
import { groupOrNull, integer, number, shapeOf, time } from './columns.ts';
import { changeColumns, changeIn, changeShape, halvesOf } from './comparison.ts';
import type { ReportContext } from './context.ts';
import { estimates, estimatesOf } from './estimates.ts';
import { moment, rounded, roundedAll } from './numbers.ts';

/** Counts of a row of which samples may be a part. */
const COUNTS = {
  verified: number('Verified', 'visits'),
  spoofed: number('Spoofed', 'visits', 'Beside `hits`; of them where the population is `all`'),
  unknown: number('Unknown', 'visits'),
  ok: number('Answered with 2xx or 304', 'visits'),
  redirects: number('Redirects', 'visits'),
  client_errors: number('Errors 4xx', 'visits'),
  server_errors: number('Errors 5xx', 'visits'),
} as const;
const COUNT_NAMES = Object.keys(COUNTS) as (keyof typeof COUNTS)[];
const { verified, spoofed, unknown, ...answers } = COUNTS;

export const figureColumns = {
  hits: number('Visits', 'visits', 'Of the population; exact and estimated ones together'),
  estimated: number('Visits, estimated', 'visits', 'The part that comes from samples'),
  ...{ verified, spoofed, unknown },
  bytes: number('Bytes', 'bytes'),
  ...answers,
  estimates: estimatesOf(COUNTS),
  first_seen: time('First seen'),
  last_seen: time('Last seen'),
} as const;
export const figuresShape = shapeOf(figureColumns);

/** How much was read, each told apart. */
export const readColumns = {
  pages: integer(
    'Pages',
    'pages',
    'Distinct pages that were answered with 2xx or 304 at least once; files are none',
  ),
  files: integer(
    'Files',
    'files',
    'Distinct files, counted in the same way: robots.txt, sitemaps, feeds, images, documents',
  ),
} as const;
export const readShape = shapeOf(readColumns);

/** @param more the part of other figures that comes from samples */
export function figures(row: Figures, more: Readonly<Record<string, number>> = {}) {
  const { hits, estimated, verified, spoofed, unknown, bytes } = row;
  const { ok, redirects, client_errors, server_errors, first_at, last_at } = row;
  return {
    ...roundedAll({ hits, estimated, verified, spoofed, unknown, bytes }),
    ...roundedAll({ ok, redirects, client_errors, server_errors }),
    estimates: estimates({
      ...Object.fromEntries(COUNT_NAMES.map((name) => [name, row[`estimated_${name}`]])),
      ...more,
    }),
    first_seen: moment(first_at),
    last_seen: moment(last_at),
  };
}

export const comparedWith = number(
  'Visits compared',
  'visits',
  'The hits of the period until `compared_until`',
);
export const previousColumns = {
  hits: number('Visits before', 'visits'),
  compared_with: comparedWith,
} as const;
export const comparedColumns = { previous: groupOrNull(previousColumns), ...changeColumns } as const;
export const comparedShape = shapeOf(comparedColumns);

interface ComparedHits {
  readonly compared_hits: number;
  readonly previous_hits: number;
  readonly days?: readonly number[];
}

export function compared({ compare, plan }: Pick<ReportContext, 'compare' | 'plan'>, row: ComparedHits) {
  return {
    previous: compare
      ? { hits: rounded(row.previous_hits), compared_with: rounded(row.compared_hits) }
      : null,
    ...changed({ compare, plan }, row),
  };
}

/** Sums of a row that was read day by day. @param days from the first of both periods on */
export function comparedDays({ plan }: Pick<ReportContext, 'plan'>, days: readonly number[]): ComparedHits {
  const { now, before } = halvesOf(plan, days) ?? { now: [], before: [] };
  return { compared_hits: sum(now), previous_hits: sum(before), days };
}

export const changed = (
  { compare, plan }: Pick<ReportContext, 'compare' | 'plan'>,
  row: ComparedHits,
): Change => (compare ? changeIn(plan, row) : NO_CHANGE);

export const intentColumns = {
  training: number('For training', 'visits'),
  search: number('For search', 'visits'),
  on_demand: number('On demand', 'visits'),
  other: number('For something else', 'visits'),
} as const;
export const intentsShape = shapeOf(intentColumns);
export const INTENT_NAMES = ['training', 'search', 'on_demand', 'other'] as const;

/** Of people, who come by visits: the same as `comparedColumns`. */
export const comparedVisitsColumns = {
  previous: groupOrNull({ visits: number('Visits before', 'visits'), compared_with: comparedWith }),
  ...changeColumns,
} as const;
export const comparedVisitsShape = shapeOf(comparedVisitsColumns);

export const comparedVisits = (context: Pick<ReportContext, 'compare' | 'plan'>, row: ComparedHits) => ({
  previous: context.compare
    ? { visits: rounded(row.previous_hits), compared_with: rounded(row.compared_hits) }
    : null,
  ...changed(context, row),
});

/** Of failures: the same. */
export const comparedFailuresShape = {
  previous: z.object({ failures: z.number(), compared_with: comparedWith.schema }).nullable(),
  ...changeShape,
} as const;

/** @param days failures of each, from the first of both periods on */
export function comparedFailures(context: Pick<ReportContext, 'compare' | 'plan'>, days: readonly number[]) {
  const row = comparedDays(context, days);
  return {
    previous: context.compare
      ? { failures: rounded(row.previous_hits), compared_with: rounded(row.compared_hits) }
      : null,
    ...changed(context, row),
  };
}
