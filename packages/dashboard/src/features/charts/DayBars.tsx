import { useMemo } from 'react';
import { barsOf, beforeBarsOf, type DayChartProps, isByWeek } from './steps.ts';
import { TimeBars } from './TimeBars.tsx';

/** Bars of days, or of weeks where days would be too thin. */
export function DayBars({ points, before, ...chart }: DayChartProps) {
  const bars = useMemo(() => barsOf(points), [points]);
  const compared = useMemo(() => (before ? beforeBarsOf(before, points) : []), [before, points]);
  return <TimeBars {...chart} bars={bars} before={compared} unit={isByWeek(points) ? 'week' : 'day'} />;
}
