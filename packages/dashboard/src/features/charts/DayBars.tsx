import { useMemo } from 'react';
import { barsOf, type DayChartProps, isByWeek } from './steps.ts';
import { TimeBars } from './TimeBars.tsx';

/** Bars of days, or of weeks where days would be too thin. */
export function DayBars({ points, ...chart }: DayChartProps) {
  const bars = useMemo(() => barsOf(points), [points]);
  return <TimeBars {...chart} bars={bars} unit={isByWeek(points) ? 'week' : 'day'} />;
}
