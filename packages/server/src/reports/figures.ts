/** The numbers that most items have. */
import { z } from '@hono/zod-openapi';
import type { Figures } from '../warehouse/index.ts';
import { changeOf, moment, rounded, roundedAll } from './numbers.ts';

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
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
} as const;
export const FIGURE_NAMES = Object.keys(figuresShape);

export function figures({
  hits,
  estimated,
  verified,
  spoofed,
  unknown,
  bytes,
  ok,
  redirects,
  client_errors,
  server_errors,
  first_at,
  last_at,
}: Figures) {
  return {
    ...roundedAll({ hits, estimated, verified, spoofed, unknown, bytes }),
    ...roundedAll({ ok, redirects, client_errors, server_errors }),
    first_seen: moment(first_at),
    last_seen: moment(last_at),
  };
}

export const comparedShape = {
  previous: z.object({ hits: z.number() }).nullable(),
  change: z.number().nullable().openapi({ description: '(now − before) / before' }),
} as const;

export function compared(compare: boolean, hits: number, previous: number) {
  return {
    previous: compare ? { hits: rounded(previous) } : null,
    change: compare ? changeOf(hits, previous) : null,
  };
}

export const intentsShape = {
  training: z.number(),
  search: z.number(),
  on_demand: z.number(),
  other: z.number(),
} as const;
export const INTENT_NAMES = ['training', 'search', 'on_demand', 'other'] as const;
