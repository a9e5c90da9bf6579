/** Positions of the bars of a chart. Our own code: the library's scales would add 10 kB to the first view. */
import type { Bar } from './steps.ts';

/** Grid lines above zero, approximately. */
const RULES = 4;
/** Room for the dates below and the figures at the left, in pixels. */
const BELOW = 20;
const LEFT = 44;
const ABOVE = 6;
/** The largest width of a bar. */
const WIDEST_BAR = 56;

export interface Scales {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly number[];
  readonly barWidth: number;
  /** Left edge of a bar. */
  x(index: number): number;
  /** Never outside of the chart, whatever the value. */
  y(value: number): number;
  /** The bar below so many pixels from the left; null beside all of them. */
  indexAt(pixels: number): number | null;
}

interface Layout {
  readonly bars: readonly Bar[];
  /** Of the series that are drawn. */
  readonly keys: readonly string[];
  /** The highest and the lowest of what is drawn beside the bars. */
  readonly peak?: number;
  readonly trough?: number;
  readonly width: number;
  readonly height: number;
}

export function layOut({ bars, keys, peak = 0, trough = 0, width, height }: Layout): Scales {
  const tallest = Math.max(
    peak,
    ...bars.map(({ values }) => keys.reduce((sum, key) => sum + Math.max(0, Number(values[key] ?? 0)), 0)),
  );
  // More may be refunded on a day than is sold.
  const lowest = Math.min(
    trough,
    ...bars.map(({ values }) => keys.reduce((sum, key) => sum + Math.min(0, Number(values[key] ?? 0)), 0)),
  );
  // Counts are whole numbers.
  const step = Math.max(1, roundStep(Math.max(1, tallest - lowest) / RULES));
  const above = Math.ceil(Math.max(lowest < 0 ? 0 : 1, tallest) / step - 1e-9);
  const below = Math.ceil(-lowest / step - 1e-9);
  const rules = above + below;
  const right = Math.max(LEFT + 1, width);
  const gap = gapOf(bars.length);
  const room = (right - LEFT) / Math.max(1, bars.length - gap);
  const slot = room * (1 - gap);
  const barWidth = Math.max(1, Math.min(WIDEST_BAR, slot));
  const ground = height - BELOW;
  return {
    left: LEFT,
    width: right,
    height,
    // Multiplied, not added up: 0.1 + 0.2 is not 0.3.
    ticks: Array.from({ length: rules + 1 }, (_, index) => (index - below) * step),
    barWidth,
    x: (index) => LEFT + index * room + (slot - barWidth) / 2,
    y: (value) => ground - Math.min(1, Math.max(0, (value / step + below) / rules)) * (ground - ABOVE),
    indexAt: (pixels) =>
      pixels < LEFT || bars.length === 0
        ? null
        : Math.min(bars.length - 1, Math.floor((pixels - LEFT) / room)),
  };
}

/** Share of a bar's slot that stays empty; the last bar has no gap. */
const gapOf = (count: number): number => (count > 45 ? 0.12 : count > 14 ? 0.24 : 0.5);

/** The nearest round step: 1, 2 or 5 times a power of ten. */
export function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return power * (times >= Math.sqrt(50) ? 10 : times >= Math.sqrt(10) ? 5 : times >= Math.sqrt(2) ? 2 : 1);
}
