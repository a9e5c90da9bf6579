import { DayBars } from './DayBars.tsx';
import { OneDay } from './OneDay.tsx';
import type { DayChartProps } from './steps.ts';

/** How a period went, day by day; of a single day, what it is made of. */
export function DayChart(props: DayChartProps) {
  return props.points.length === 1 ? <OneDay {...props} /> : <DayBars {...props} />;
}
