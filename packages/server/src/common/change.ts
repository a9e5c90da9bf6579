/**
 * What a figure is against the days before, and whether the difference says anything. Crawlers come in bursts: a bot that reads a site
 * every third day doubles from one week to the next without any change. So the days themselves say how much a sum moves by chance.
 */
import { share, sum } from './numbers.ts';

/** A percentage of fewer visits is a matter of single ones. */
export const MIN_COMPARED = 20;

/** The days that are set against each other, as a sum each where they were not read one by one. */
export interface Halves {
  readonly now: readonly number[];
  readonly before: readonly number[];
}

export interface Change {
  readonly change: number | null;
  /** Beyond what chance alone does to such days in 95 of 100 cases; null: there is no change, or too few days to tell. */
  readonly change_stands_out: boolean | null;
}

export const NO_CHANGE: Change = { change: null, change_stands_out: null };

/**
 * @param counted of the days before, where the figures are amounts: how many orders they are the sum of
 * @returns no change where the base is too small for a percentage
 */
export function changeOf({ now, before }: Halves, counted?: number): Change {
  const [after, base] = [sum(now), sum(before)];
  if ((counted ?? base) < MIN_COMPARED || base <= 0) return NO_CHANGE;
  return { change: share((after - base) / base), change_stands_out: standsOut({ now, before }) };
}

/**
 * Quasi-Poisson: days scatter about the mean of their half φ times as much as a Poisson count would, and φ is read off the days. The
 * difference of both means is then set against its own scatter, √(φ · all visits) of days as many on each side, by Student's t, since few days know φ badly. φ is no less than 1: days
 * that happen to be even prove nothing. Halves of different lengths, as two months, are set against each other by their mean days.
 */
export function standsOut({ now, before }: Halves): boolean | null {
  const halves = [now, before].filter((days) => days.length > 1 && sum(days) > 0);
  const freedom = halves.reduce((total, days) => total + days.length - 1, 0);
  if (freedom === 0 || now.length === 0 || before.length === 0) return null;
  const scatter = halves.reduce((total, days) => {
    const mean = sum(days) / days.length;
    return total + days.reduce((squares, visits) => squares + (visits - mean) ** 2, 0) / mean;
  }, 0);
  const dispersion = Math.max(1, scatter / freedom);
  const [after, base] = [sum(now) / now.length, sum(before) / before.length];
  const variance = dispersion * (after / now.length + base / before.length);
  return Math.abs(after - base) > quantile(freedom) * Math.sqrt(variance);
}

/** 97.5% of Student's t, for one to ten degrees of freedom. */
const QUANTILES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
/** The same of the normal distribution. */
const Z = 1.959964;

/** Beyond ten by the first terms of Cornish and Fisher, which are right to three digits there. */
const quantile = (freedom: number): number =>
  QUANTILES[freedom - 1] ??
  Z + (Z ** 3 + Z) / (4 * freedom) + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * freedom ** 2);
