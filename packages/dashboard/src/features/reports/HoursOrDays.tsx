import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { rangeLabel } from '../../format/period.ts';
import { Segments } from '../../parts/Switch.tsx';
import type { ChartProps } from '../charts/steps.ts';
import { TimeBars } from '../charts/TimeBars.tsx';
import {
  barsIn,
  comparedUntil,
  type HourKey,
  hourBars,
  hourBefore,
  MOST_DAYS_OF_HOURS,
  useHours,
} from './hours.ts';
import type { ReportAddress } from './useReportSearch.ts';

const BARS = [
  ['hours', 'Hours'],
  ['days', 'Days'],
] as const;

type Hours = ReturnType<typeof useHours>['data'];

/** The hours of a short period, where its bars are hours. `isDrawn`: they are, or will be when they come. */
export function useHourBars(
  property: Pick<Property, 'id'>,
  address: Pick<ReportAddress, 'period' | 'search' | 'compared'>,
): { readonly hours: Hours; readonly isDrawn: boolean; readonly isAsked: boolean } {
  const { data } = useHours(property, address);
  const isAsked = barsIn(address) === 'hours';
  return { hours: data, isAsked, isDrawn: isAsked && data?.series !== null };
}

/** The switch between hours and days, for periods that can have both. */
export function BarsChoice({ address }: { address: Pick<ReportAddress, 'period' | 'search' | 'change'> }) {
  const { period, search, change } = address;
  if (period.days <= 1 || period.days > MOST_DAYS_OF_HOURS) return null;
  return (
    <Segments
      legend="Bars"
      value={barsIn(address)}
      options={BARS}
      onChoose={(chosen) => change({ bars: chosen, n: search.n })}
    />
  );
}

interface HoursOrDaysProps {
  of: ReturnType<typeof useHourBars>;
  timeZone: string;
  /** The figures of an hour that its series are. */
  keys: readonly HourKey[];
  chart: Pick<ChartProps, 'title' | 'note' | 'series' | 'isTotalled'> & { readonly height: number };
  /** The chart of days. */
  children: ReactNode;
}

/** The chart by the hour, or by the day. */
export function HoursOrDays({
  of: { hours, isAsked, isDrawn },
  timeZone,
  keys,
  chart,
  children,
}: HoursOrDaysProps) {
  if (!isDrawn)
    return (
      <>
        {children}
        {isAsked && (
          <p className="quiet">
            Hourly figures are not available this far back
            {hours === undefined ? '' : `: single visits are kept only from ${hours.kept_since}`}.
          </p>
        )}
      </>
    );
  if (hours === undefined)
    return (
      <div
        className="chart-wait"
        style={{ height: chart.height + WAIT }}
        role="status"
        aria-label="Loading hours"
      />
    );
  return (
    <TimeBars
      {...chart}
      unit="hour"
      bars={hourBars(hours, keys, timeZone)}
      before={hourBefore(hours, timeZone)}
      beforeName={hours.compared === null ? '' : rangeLabel(hours.compared)}
      beforeUntil={comparedUntil(hours, timeZone)}
    />
  );
}

/** The line below a chart, in pixels. */
const WAIT = 30;
