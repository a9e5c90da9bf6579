import { useMemo } from 'react';
import { rangeLabel } from '../../format/period.ts';
import { addNumbers, barsOf, beforeBarsOf, type DayChartProps, isByWeek } from './steps.ts';
import { TimeBars } from './TimeBars.tsx';

/** Bars of days, or of weeks where days would be too thin. */
export function DayBars({ points, before, add = addNumbers, ...chart }: DayChartProps) {
  const bars = useMemo(() => barsOf(points, add), [points, add]);
  const compared = useMemo(() => (before ? beforeBarsOf(before, points, add) : []), [before, points, add]);
  return (
    <TimeBars
      {...chart}
      add={add}
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
