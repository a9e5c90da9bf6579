/** Days of vendors as the parts of a chart. */

import { companyPaint } from '../../features/charts/companies.ts';
import type { Point, Series } from '../../features/charts/steps.ts';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { isUnfinished } from '../../features/reports/figures.ts';

type Answer = Pick<ReportAnswer<'bots'>, 'items' | 'series' | 'time_zone'>;

/** More colours than this are hard to tell apart. */
const MOST = 4;
const OTHERS = 'others';

/** The largest vendors of a list, and what all others have. @param now epoch milliseconds */
export function vendorParts(
  { items, series: days, time_zone: timeZone }: Answer,
  now = Date.now(),
): { readonly series: readonly Series[]; readonly points: readonly Point[] } {
  const named = items
    .filter(({ hits }) => hits > 0)
    .toSorted((one, other) => other.hits - one.hits)
    .slice(0, MOST);
  return {
    series: [
      ...named.map(({ vendor }, index) => ({
        key: vendor,
        name: vendor,
        paint: companyPaint(vendor, index),
      })),
      { key: OTHERS, name: 'Others', paint: 'other_bot' },
    ],
    points: days.map(({ day, hits, estimated }, index) => {
      const of = named.map(({ vendor, series }) => [vendor, series[index] ?? 0] as const);
      const rest = hits - of.reduce((sum, [, count]) => sum + count, 0);
      // Which part of a vendor's day is estimated is not known: any may be.
      const estimates = named.map((item, at) => [item.vendor, item.estimated > 0 ? (of[at]?.[1] ?? 0) : 0]);
      return {
        day,
        partial: isUnfinished(day, timeZone, now),
        // Figures are rounded one by one.
        values: { ...Object.fromEntries(of), [OTHERS]: Math.max(0, Math.round(rest * 100) / 100) },
        estimated: { ...Object.fromEntries(estimates), [OTHERS]: estimated > 0 ? Math.max(0, rest) : 0 },
      };
    }),
  };
}

/** The names of each vendor's bots, those with most visits first. */
export function botsByVendor(
  bots: ReportAnswer<'filters'>['bots'] | undefined,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { vendor, bot } of (bots ?? []).toSorted((one, other) => other.hits - one.hits))
    names.set(vendor, [...(names.get(vendor) ?? []), bot]);
  return names;
}
