/** The hours of a short period. Conversions are kept one by one, so every period has them. */

import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { HOUR_MS } from '@ghostlight/core/time';
import { barLabel } from '../../../features/charts/labels.ts';
import type { Bar, Before, BeforeBar } from '../../../features/charts/steps.ts';
import type { Report } from '../../../features/conversions/api.ts';
import type { Period } from '../../../format/period.ts';
import type { ConversionSearch } from '../search.ts';
import { pointsOf, type Shaped, shapeSeries, withEarlier } from './series.ts';

type Hours = NonNullable<Report['hours']>;

/** Whether a reader may choose between hours and days: a single day has one bar of days, which is no choice. */
export const canChooseBars = ({ days }: Pick<Period, 'days'>): boolean =>
  days > 1 && days <= MOST_DAYS_OF_HOURS;

export const isByHour = (period: Pick<Period, 'days'>, { bars }: Pick<ConversionSearch, 'bars'>): boolean =>
  period.days === 1 || (canChooseBars(period) && bars === 'hours');

const asDays = ({ points }: Hours) => points.map(({ at, ...point }) => ({ ...point, day: at }));

/** @param currency null counts conversions */
export function shapeHours(
  hours: Hours,
  earlier: Hours | null,
  currency: string | null,
): { readonly shaped: Shaped; readonly before: readonly Before[] | null } {
  const { from, until } = hours;
  const count = Math.max(0, (Date.parse(until) - Date.parse(from)) / HOUR_MS);
  const shaped = shapeSeries({ points: asDays(hours), from, days: count, step: HOUR_MS, currency });
  const of = earlier && {
    from: earlier.from,
    to: new Date(Date.parse(earlier.until) - HOUR_MS).toISOString(),
    points: asDays(earlier),
  };
  return withEarlier(shaped, of, currency, HOUR_MS);
}

/** @param now epoch milliseconds: the hour that runs is not over */
export function hourBars(shaped: Shaped, timeZone: string, now: number): Bar[] {
  return pointsOf(shaped, '').map((point) => {
    const until = Date.parse(point.day) + HOUR_MS;
    return {
      ...point,
      last: new Date(until).toISOString(),
      label: barLabel(point.day, timeZone, shaped.days.length <= 25),
      partial: until > now,
    };
  });
}

export const hourBefore = (before: readonly Before[] | null, timeZone: string): BeforeBar[] =>
  (before ?? []).map(({ day, values }) => ({ label: barLabel(day, timeZone, false), values }));
