/** Days of fetches as the chart takes them. */
import type { Point } from '../../../features/charts/steps.ts';
import type { Fetches } from '../types.ts';

/** The service names every day, oldest first; the last one is today where the property is, and may still grow. */
export const pointsOf = (days: Fetches['by_day']): Point[] =>
  days.map(({ day, fetches }, index) => ({
    day,
    partial: index === days.length - 1,
    values: { fetches },
  }));
