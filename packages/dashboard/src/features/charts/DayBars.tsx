import { useMemo } from 'react';
import { rangeLabel } from '../../format/period.ts';
import { barsOf, beforeBarsOf, type DayChartProps, isByWeek } from './steps.ts';
import { TimeBars } from './TimeBars.tsx';

/** Bars of days, or of weeks where days would be too thin. */
export function DayBars({ points, before, ...chart }: DayChartProps) {
  const bars = useMemo(() => barsOf(points), [points]);
  const compared = useMemo(() => (before ? beforeBarsOf(before, points) : []), [before, points]);
  return (
    <TimeBars
      {...chart}
      bars={bars}
      before={compared}
      beforeName={nameOf(before)}
      unit={isByWeek(points) ? 'week' : 'day'}
    />
  );
}

/** `1 – 21 Oct 2026`. */
function nameOf(before: DayChartProps['before']): string {
  const [first, last] = [before?.[0], before?.at(-1)];
  return first === undefined || last === undefined ? '' : rangeLabel({ from: first.day, to: last.day });
}
