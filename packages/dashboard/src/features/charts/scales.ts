/** Positions of the bars of a chart. Our own code: the library's scales would add 10 kB to the first view. */
import type { Bar } from './steps.ts';

/** The most steps between grid lines: five lines can be read at a glance. */
const STEPS = 4;
/** Of a chart below this height, in pixels, they would be close to each other. */
const LOW = 150;
const STEPS_OF_LOW = 3;
/** Bars that are lower than this part of a chart waste its height: a less round step may suit them better. */
const FULL = 0.9;
/** Room for the dates below and the figures at the left, in pixels. */
const BELOW = 20;
const LEFT = 44;
const ABOVE = 6;
/** The same where the line is cut off: its figure is there. */
export const ABOVE_CUT = 20;
/** One figure of so many may be a spike of the line. */
const SPIKE_OF = 5;
/** So many times as high as all else, it would make the bars flat: it is cut off. */
const SPIKE_FROM = 1.6;
/** The largest width of a bar. */
const WIDEST_BAR = 56;

export interface Scales {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly number[];
  /** What the line has above it is cut off. */
  readonly top: number;
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
  /** Drawn over the bars, by their place; null: nothing is known. */
  readonly line?: readonly (number | null)[];
  /** A value that is inside the scale, whatever the bars are: a threshold. */
  readonly reach?: number;
  readonly width: number;
  readonly height: number;
}

export function layOut({ bars, keys, line = [], reach = 0, width, height }: Layout): Scales {
  const known = line.filter((value) => value !== null);
  const tallestBar = Math.max(
    0,
    ...bars.map(({ values }) => keys.reduce((sum, key) => sum + Math.max(0, Number(values[key] ?? 0)), 0)),
  );
  const tallest = Math.max(reach, tallestBar, peakOf(known, tallestBar));
  // More may be refunded on a day than is sold.
  const lowest = Math.min(
    0,
    ...known,
    ...bars.map(({ values }) => keys.reduce((sum, key) => sum + Math.min(0, Number(values[key] ?? 0)), 0)),
  );
  const step = stepOf(lowest, tallest, height < LOW ? STEPS_OF_LOW : STEPS);
  const above = Math.ceil(Math.max(lowest < 0 ? 0 : 1, tallest) / step - 1e-9);
  const below = Math.ceil(-lowest / step - 1e-9);
  const rules = above + below;
  const top = above * step;
  const free = known.some((value) => value > top) ? ABOVE_CUT : ABOVE;
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
    top,
    barWidth,
    x: (index) => LEFT + index * room + (slot - barWidth) / 2,
    y: (value) => ground - Math.min(1, Math.max(0, (value / step + below) / rules)) * (ground - free),
    indexAt: (pixels) =>
      pixels < LEFT || bars.length === 0
        ? null
        : Math.min(bars.length - 1, Math.floor((pixels - LEFT) / room)),
  };
}

/** The height that the line needs: all of it, except for a few spikes. @param tallest of the bars */
export function peakOf(known: readonly number[], tallest: number): number {
  const falling = known.toSorted((one, other) => other - one);
  const [peak = 0] = falling;
  if (tallest === 0) return peak;
  for (let spikes = Math.floor(known.length / SPIKE_OF); spikes > 0; spikes -= 1) {
    const rest = Math.max(tallest, falling[spikes] ?? 0);
    if ((falling[spikes - 1] ?? 0) > rest * SPIKE_FROM) return rest;
  }
  return peak;
}

/** A point of a line over the bars: `at` is a bar's place, and a fraction where the line is cut off. */
export interface LinePoint {
  readonly at: number;
  readonly value: number;
}

/** The points of a line up to the top, where it ends and begins again; null: a gap. */
export function cutAbove(values: readonly (number | null)[], top: number): (LinePoint | null)[] {
  return values.flatMap((value, at) => {
    const before = values[at - 1] ?? null;
    const point = value === null || value > top ? null : { at, value };
    if (value === null || before === null || value > top === before > top) return [point];
    return [{ at: at - 1 + (top - before) / (value - before), value: top }, point];
  });
}

/** Where a line is cut off: of each part above the top, the highest point. */
export function cutOff(values: readonly (number | null)[], top: number): LinePoint[] {
  const found: LinePoint[] = [];
  let isAbove = false;
  for (const [at, value] of values.entries()) {
    const last = found.at(-1);
    if (value === null || value <= top) isAbove = false;
    else if (!isAbove || last === undefined) {
      found.push({ at, value });
      isAbove = true;
    } else if (value > last.value) found[found.length - 1] = { at, value };
  }
  return found;
}

/** Share of a bar's slot that stays empty; the last bar has no gap. */
const gapOf = (count: number): number => (count > 45 ? 0.12 : count > 14 ? 0.24 : 0.5);

/** The distance of grid lines, a whole number because counts are. @param most how many steps there may be */
function stepOf(lowest: number, tallest: number, most: number): number {
  const stepsOf = (step: number) => Math.ceil(tallest / step - 1e-9) + Math.ceil(-lowest / step - 1e-9);
  let step = Math.max(1, roundStep(Math.max(1, tallest - lowest) / most));
  while (stepsOf(step) > most) step = roundStep(step * 2.2);
  const fill = (by: number) => (tallest - lowest) / (stepsOf(by) * by);
  if (fill(step) >= FULL) return step;
  const power = 10 ** Math.floor(Math.log10(step - 1));
  const finer = [4, 3, 2.5]
    .map((times) => times * power)
    .filter((by) => by < step && Number.isInteger(by) && stepsOf(by) <= most);
  return [step, ...finer].reduce((best, by) => (fill(by) > fill(best) ? by : best));
}

/** The nearest round step: 1, 2 or 5 times a power of ten. */
export function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return power * (times >= Math.sqrt(50) ? 10 : times >= Math.sqrt(10) ? 5 : times >= Math.sqrt(2) ? 2 : 1);
}
