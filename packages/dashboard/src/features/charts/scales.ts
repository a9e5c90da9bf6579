/** Where the bars of a chart stand. By hand: the library's scales would be 10 kB of the first view. */
import type { Bar } from './steps.ts';

/** Rules above the ground, about. */
const RULES = 3;
/** Room for the dates below, and for the figures of the rules at the left; in pixels. */
const BELOW = 20;
const LEFT = 44;
const ABOVE = 6;
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
  // Nothing is counted in parts.
  const step = Math.max(1, roundStep(Math.max(1, tallest) / RULES));
  const rules = Math.ceil(Math.max(1, tallest) / step - 1e-9);
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
    // Multiplied, not added up: 0.1 + 0.2 is no round number.
    ticks: Array.from({ length: rules + 1 }, (_, index) => index * step),
    barWidth,
    x: (index) => LEFT + index * room + (slot - barWidth) / 2,
    y: (value) => ground - (value / (rules * step)) * (ground - ABOVE),
    indexAt: (pixels) =>
      pixels < LEFT || bars.length === 0
        ? null
        : Math.min(bars.length - 1, Math.floor((pixels - LEFT) / room)),
  };
}

/** Part of a bar's room that stays empty; the last bar has none. */
const gapOf = (count: number): number => (count > 45 ? 0.12 : count > 14 ? 0.24 : 0.5);

/** The round step (1, 2 or 5 times a power of ten) nearest to one that need not be. */
export function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return power * (times >= Math.sqrt(50) ? 10 : times >= Math.sqrt(10) ? 5 : times >= Math.sqrt(2) ? 2 : 1);
}
