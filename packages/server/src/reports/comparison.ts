/** Changes in reports: which days are compared, and the columns that say what came of it. */
import { z } from '@hono/zod-openapi';
import { type Change, changeOf, type Halves, MIN_COMPARED, NO_CHANGE } from '../common/index.ts';
import type { FactsPlan } from '../warehouse/index.ts';
import { column, jsonOnly, shapeOf } from './columns.ts';

type Compared = Pick<FactsPlan, 'from' | 'previous' | 'comparedTo' | 'isComparable'>;

/** The days that are compared, out of a sum for each day from the first of both periods on; null: none are. */
export function halvesOf({ from, previous, comparedTo }: Compared, days: readonly number[]): Halves | null {
  if (previous === null) return null;
  const offset = from - previous.from;
  return {
    now: days.slice(offset, offset + comparedTo - from + 1),
    before: days.slice(0, previous.to - previous.from + 1),
  };
}

/** The sums of a row: of the period as far as it is compared, and of the days before. */
interface Sums {
  readonly compared_hits: number;
  readonly previous_hits: number;
  /** Single days, from the first of both periods on; absent in files, which say no more than a percentage. */
  readonly days?: readonly number[];
}

export const changeColumns = {
  change: column(
    z
      .number()
      .nullable()
      .openapi({
        description: `Part of the figure before. Null where that is below ${MIN_COMPARED}, or where nothing is compared (\`not_compared\`)`,
      }),
    'number',
    'Change',
    'fraction',
  ),
  change_stands_out: jsonOnly(
    z.boolean().nullable().openapi({
      description:
        'Beyond what such days do by chance (quasi-Poisson, 95%). Null in files, and where nothing can be said',
    }),
  ),
} as const;
export const changeShape = shapeOf(changeColumns);

export function changeIn(plan: Compared, { compared_hits, previous_hits, days }: Sums): Change {
  if (!plan.isComparable) return NO_CHANGE;
  const halves = days === undefined ? null : halvesOf(plan, days);
  return changeOf(halves ?? { now: [compared_hits], before: [previous_hits] });
}
