/** When the change of conversions has no percentage: one rule for every page that compares them. */
import { compareDecimals, formatCount, isZero } from './money.ts';

/** Below so many before, a percentage is a matter of single conversions. */
const FEWEST_BEFORE = 20;

/** @param before decimal text */
export const isTooFew = (before: string): boolean => compareDecimals(before, String(FEWEST_BEFORE)) < 0;

/** Instead of the percentage. */
export const fewText = (before: string): string =>
  isZero(before) ? 'none before' : `${formatCount(before)} before`;

/** Why, on hover. */
export const FEW_WHY = `With fewer than ${FEWEST_BEFORE} conversions before, a percentage would say little`;
