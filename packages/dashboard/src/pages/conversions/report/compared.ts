/** What a change is made of: the sums that it sets against each other, which are not those of the page while a day is not over. */
import type { Report } from '../../../features/conversions/api.ts';
import { addDecimals } from '../../../features/conversions/money.ts';
import { measuredIn } from './series.ts';

export interface ComparedSums {
  /** Decimal text: of the days of the period that are compared. */
  readonly now: string;
  /** Decimal text: of as many days before. */
  readonly before: string;
}

/**
 * @param currency of the values; null: the number of conversions
 * @param key one row of the report; absent: all of them, which only a report of few rows has day by day
 * @returns null: nothing is compared
 */
export function comparedSums(
  { series, comparison }: Pick<Report, 'series' | 'comparison'>,
  currency: string | null,
  key?: string,
): ComparedSums | null {
  const { compared_until: until = null, series: earlier = null } = comparison ?? {};
  if (until === null || earlier === null) return null;
  const measured = measuredIn(currency);
  const sum = (points: Report['series']): string =>
    points
      .filter((point) => key === undefined || point.key === key)
      .reduce((total, point) => addDecimals(total, measured(point)), '0');
  return { now: sum(series.filter(({ day }) => day <= until)), before: sum(earlier) };
}

/** `136 vs 119`. */
export const pairText = ({ now, before }: ComparedSums, format: (figure: string) => string): string =>
  `${format(now)} vs ${format(before)}`;
