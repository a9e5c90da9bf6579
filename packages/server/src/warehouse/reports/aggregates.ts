/** What can be said of visits together, by the engine or of its slices (`slices.ts`). */
import { sum } from '../../common/index.ts';
import type { ReportQuery } from './facts.ts';
import type { Aggregate } from './slices.ts';

/** Of two moments, 0 for none. */
export const earlier = (a: number, b: number): number =>
  a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b);

const sumOfColumn = (column: string): Aggregate<number> => ({
  all: `sum(f.${column})`,
  where: (condition) => `sumIf(f.${column}, ${condition})`,
  together: (values) => sum(values),
});

/** Of times the first or the last, epoch milliseconds, 0 for never. */
const momentOf = (
  which: 'min' | 'max',
  column: string,
  together: (a: number, b: number) => number,
): Aggregate<number> => ({
  all: `toUnixTimestamp64Milli(${which}(f.${column}))`,
  where: (condition) => `toUnixTimestamp64Milli(${which}If(f.${column}, ${condition}))`,
  together: (values) => values.reduce((a, b) => together(a, b), 0),
});

export const WEIGHT = sumOfColumn('weight');
/** The part that comes from samples. */
export const PART_OF_SAMPLES = sumOfColumn('estimated');
export const BYTES = sumOfColumn('bytes');
export const FIRST = momentOf('min', 'first_at', earlier);
export const LAST = momentOf('max', 'last_at', Math.max);
export const ROWS: Aggregate<number> = {
  all: 'count()',
  where: (condition) => `countIf(${condition})`,
  together: (values) => sum(values),
};

/** Bots are told apart by number: a set of words for each page took three times as long as one of numbers. */
const BOT_NUMBER = 'cityHash64(f.bot_name)';
/** Which bots, as decimal text. A list of bots has some hundreds. */
export const BOT_NUMBERS: Aggregate<readonly string[]> = {
  all: `groupUniqArray(toString(${BOT_NUMBER}))`,
  where: (condition) => `groupUniqArrayIf(toString(${BOT_NUMBER}), ${condition})`,
  together: (values) => [...new Set(values.flat())],
};

/** How many bots. */
export const DISTINCT_BOTS: Aggregate<readonly string[]> = {
  all: BOT_NUMBERS.all,
  where: (condition) => `uniqExactIf(${BOT_NUMBER}, ${condition})`,
  together: (values) => new Set(values.flat()).size,
};

/** A sum for each value of a column. @param only of which visits, as SQL over `f` */
const sumsBy = (key: string, column: string, only: string): Aggregate<Readonly<Record<string, number>>> => {
  const added = (condition: string) => `sumMapIf(map(${key}, f.${column}), ${condition} AND ${only})`;
  return {
    all: added('true'),
    where: added,
    together(values) {
      const sums: Record<string, number> = {};
      for (const of of values)
        for (const [value, part] of Object.entries(of)) sums[value] = (sums[value] ?? 0) + part;
      return sums;
    },
  };
};
export const weightBy = (key: string) => sumsBy(key, 'weight', 'true');
/** Without those that no sample is part of. */
export const estimatedBy = (key: string) => sumsBy(key, 'estimated', 'f.estimated > 0');

/** A sum for each day from the first of both periods on. */
export function dayByDay({ plan }: Pick<ReportQuery, 'plan'>): Aggregate<readonly number[]> {
  const first = plan.previous?.from ?? plan.from;
  const resampled = (weight: string) =>
    `sumResample(${first}, ${plan.to + 1}, 1)(${weight}, toUInt32(f.day))`;
  return {
    all: resampled('f.weight'),
    where: (condition) => resampled(`if(${condition}, f.weight, 0)`),
    together: (values) =>
      Array.from({ length: plan.to + 1 - first }, (_, day) => sum(values, (days) => days[day] ?? 0)),
  };
}
