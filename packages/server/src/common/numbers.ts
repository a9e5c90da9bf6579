/** Figures as answers, files and messages write them: as many digits as mean something. Sums of weights and quotients carry noise behind them. */

/** Of sums of weights, to a thousandth of a visit. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Of shares of 1: to a hundred-thousandth of a percent. */
export const share = (value: number): number => Math.round(value * 1e7) / 1e7;

const RATE_DIGITS = 9;

/** A sample rate, or the weight that follows from one: nine digits that count, so that a million rows still add up to a visit. */
export const rate = (value: number): number => Number(value.toPrecision(RATE_DIGITS));

/** Several rates, each once, in ascending order. */
export const rates = (values: Iterable<number>): number[] =>
  [...new Set(Array.from(values, rate))].sort((a, b) => a - b);

/** `sum([1, 2])` or `sum(rows, ({ count }) => count)`. @returns 0 for nothing */
export function sum(values: Iterable<number>): number;
export function sum<Row>(rows: Iterable<Row>, of: (row: Row) => number): number;
export function sum<Row>(rows: Iterable<Row>, of: (row: Row) => number = Number): number {
  let total = 0;
  for (const row of rows) total += of(row);
  return total;
}
