import { DayBars } from './DayBars.tsx';
import { OneDay } from './OneDay.tsx';
import type { Point, Series } from './steps.ts';

export interface DayChartProps {
  /** What is counted: `AI bot hits`. */
  title: string;
  /** One for each day of the period, oldest first. */
  points: readonly Point[];
  /** Stacked in this order, the first at the bottom. */
  series: readonly Series[];
  height?: number;
  /** A figure as it is read; counts when left out. */
  format?: (value: number) => string;
  /** A figure at a rule of the chart, short. */
  tick?: (value: number) => string;
  /** Values of the points that only the table has, before the series. */
  also?: readonly { key: string; name: string }[];
  /** Makes a bar the way to its own days. */
  onNarrow?: ((from: string, to: string) => void) | undefined;
}

/** How a period went, day by day; of a single day, what it is made of. */
export function DayChart(props: DayChartProps) {
  return props.points.length === 1 ? <OneDay {...props} /> : <DayBars {...props} />;
}
