/** The numbers that most items have. */
import { z } from '@hono/zod-openapi';
import type { Figures } from '../warehouse/index.ts';
import { type Change, changeIn, changeShape, halvesOf, NO_CHANGE, sumOf } from './comparison.ts';
import type { Asked } from './context.ts';
import { estimates, estimatesSchema } from './estimates.ts';
import { moment, rounded, roundedAll } from './numbers.ts';

export const figuresShape = {
  hits: z.number().openapi({ description: 'Of the population; exact and estimated ones together' }),
  estimated: z.number().openapi({ description: 'What of them stands on samples' }),
  verified: z.number(),
  spoofed: z.number().openapi({
    description: 'Beside `hits`; of them where the population is `all`',
  }),
  unknown: z.number(),
  bytes: z.number(),
  ok: z.number(),
  redirects: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  estimates: estimatesSchema,
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
} as const;
/** How much was read, each told apart. */
export const readShape = {
  pages: z.number().int().openapi({
    description: 'Distinct pages that were answered with 2xx or 304 at least once; files are none',
  }),
  files: z.number().int().openapi({
    description: 'Distinct files, likewise: robots.txt, sitemaps, feeds, images, documents',
  }),
} as const;

/** The other counts of a row. */
const COUNTS = [
  ...(['verified', 'spoofed', 'unknown', 'ok', 'redirects', 'client_errors', 'server_errors'] as const),
];
/** Columns of a file. */
export const FIGURE_NAMES = Object.keys(figuresShape).flatMap((name) =>
  name === 'estimates' ? COUNTS.map((count) => `estimates.${count}`) : name,
);

/** @param more what of figures beside these stands on samples */
export function figures(row: Figures, more: Readonly<Record<string, number>> = {}) {
  const { hits, estimated, verified, spoofed, unknown, bytes } = row;
  const { ok, redirects, client_errors, server_errors, first_at, last_at } = row;
  return {
    ...roundedAll({ hits, estimated, verified, spoofed, unknown, bytes }),
    ...roundedAll({ ok, redirects, client_errors, server_errors }),
    estimates: estimates({
      ...Object.fromEntries(COUNTS.map((name) => [name, row[`estimated_${name}`]])),
      ...more,
    }),
    first_seen: moment(first_at),
    last_seen: moment(last_at),
  };
}

export const comparedShape = {
  previous: z
    .object({
      hits: z.number(),
      compared_with: z.number().openapi({ description: 'The hits of the period until `compared_until`' }),
    })
    .nullable(),
  ...changeShape,
} as const;

interface ComparedHits {
  readonly compared_hits: number;
  readonly previous_hits: number;
  readonly days?: readonly number[];
}

export function compared({ compare, plan }: Pick<Asked, 'compare' | 'plan'>, row: ComparedHits) {
  return {
    previous: compare
      ? { hits: rounded(row.previous_hits), compared_with: rounded(row.compared_hits) }
      : null,
    ...changed({ compare, plan }, row),
  };
}

/** Sums of a row that was read day by day. @param days from the first of both periods on */
export function comparedDays({ plan }: Pick<Asked, 'plan'>, days: readonly number[]): ComparedHits {
  const { now, before } = halvesOf(plan, days) ?? { now: [], before: [] };
  return { compared_hits: sumOf(now), previous_hits: sumOf(before), days };
}

export const changed = ({ compare, plan }: Pick<Asked, 'compare' | 'plan'>, row: ComparedHits): Change =>
  compare ? changeIn(plan, row) : NO_CHANGE;

export const intentsShape = {
  training: z.number(),
  search: z.number(),
  on_demand: z.number(),
  other: z.number(),
} as const;
export const INTENT_NAMES = ['training', 'search', 'on_demand', 'other'] as const;
