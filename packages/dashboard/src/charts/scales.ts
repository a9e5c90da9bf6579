/** Where the bars of a chart stand. */
import { scaleBand, scaleLinear } from 'd3-scale';
import type { Bar } from './steps.ts';

const TICKS = 3;
/** Room for the dates below, and for the figures of the rules at the left; in pixels. */
const BELOW = 20;
const LEFT = 44;
/** A single day must not become a wall. */
const WIDEST_BAR = 56;

export interface Scales {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly number[];
  readonly barWidth: number;
  /** Left edge of a bar. */
  x(index: number): number;
  y(value: number): number;
  /** The bar below so many pixels from the left; null beside all of them. */
  indexAt(pixels: number): number | null;
}

interface Layout {
  readonly bars: readonly Bar[];
  /** Of the series that are drawn. */
  readonly keys: readonly string[];
  readonly width: number;
  readonly height: number;
}

export function layOut({ bars, keys, width, height }: Layout): Scales {
  // Less than nothing, such as a day with more refunds than sales, is not drawn; the table has it.
  const tallest = Math.max(
    ...bars.map(({ values }) => keys.reduce((sum, key) => sum + Math.max(0, values[key] ?? 0), 0)),
  );
  const y = scaleLinear()
    .domain([0, Math.max(1, tallest)])
    .nice(TICKS)
    .range([height - BELOW, 6]);
  const right = Math.max(LEFT + 1, width);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([LEFT, right])
    .paddingInner(bars.length > 45 ? 0.12 : bars.length > 14 ? 0.24 : 0.5);
  const barWidth = Math.max(1, Math.min(WIDEST_BAR, x.bandwidth()));
  return {
    left: LEFT,
    width: right,
    height,
    ticks: y.ticks(TICKS),
    barWidth,
    x: (index) => (x(index) ?? LEFT) + (x.bandwidth() - barWidth) / 2,
    y: (value) => y(value),
    indexAt: (pixels) =>
      pixels < LEFT || bars.length === 0
        ? null
        : Math.min(bars.length - 1, Math.floor((pixels - LEFT) / x.step())),
  };
}
