import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { Segments } from '../../parts/Switch.tsx';
import type { ChartProps } from '../charts/steps.ts';
import { TimeBars } from '../charts/TimeBars.tsx';
import {
  barsIn,
  beforeLabel,
  comparedUntil,
  type DrawnHour,
  type DrawnHours,
  hourBars,
  hourBefore,
  useHours,
} from './hours.ts';
import type { ReportAddress } from './useReportSearch.ts';

const BARS = [
  ['hours', 'Hours'],
  ['days', 'Days'],
] as const;

interface HoursState<Hour extends DrawnHour> {
  readonly hours: DrawnHours<Hour> | undefined;
  readonly isDrawn: boolean;
  readonly isAsked: boolean;
}

type Asked = Pick<ReportAddress, 'period' | 'search' | 'compared'>;

/** The hours of a short period, where its bars are hours. `isDrawn`: they are, or will be when they come. */
export const useHourBars = ({ id }: Pick<Property, 'id'>, address: Asked) =>
  stateOf(address, useHours('hours', id, address).data);

/** Those of visits from AI engines. */
export const useReferralHours = ({ id }: Pick<Property, 'id'>, address: Asked) =>
  stateOf(address, useHours('referrals/hours', id, address).data);

function stateOf<Hour extends DrawnHour>(
  address: Asked,
  hours: DrawnHours<Hour> | undefined,
): HoursState<Hour> {
  const isAsked = barsIn(address) === 'hours';
  return { hours, isAsked, isDrawn: isAsked && hours?.series !== null };
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

interface HoursOrDaysProps<Hour extends DrawnHour> {
  of: HoursState<Hour>;
  timeZone: string;
  keys: Parameters<typeof hourBars<Hour>>[1];
  chart: Pick<ChartProps, 'title' | 'note' | 'series' | 'isTotalled'> & { readonly height: number };
  /** The chart of days. */
  children: ReactNode;
}

/** The chart by the hour, or by the day. */
export function HoursOrDays<Hour extends DrawnHour>({
  of: { hours, isAsked, isDrawn },
  timeZone,
  keys,
  chart,
  children,
}: HoursOrDaysProps<Hour>) {
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
      beforeName={beforeLabel(hours, timeZone)}
      beforeUntil={comparedUntil(hours, timeZone)}
    />
  );
}

/** The line below a chart, in pixels. */
const WAIT = 30;
