/** The scale of the bars of minutes. */

/** One minute of a burst, as an import or a crawl brings it, would make all others flat. */
const TOWERS_FROM = 3;
/** How many minutes may tower. */
const MOST_TOWERS = 2;
/** Room above the highest bar that is not cut. */
const ABOVE = 1.25;
const LEAST = 4;

export interface MinuteScale {
  /** What the height of the chart stands for. */
  readonly top: number;
  /** Higher bars are cut off there, and their figures written beside the break. */
  readonly isCut: boolean;
  /** The figures at the axis, from the lowest. */
  readonly ticks: readonly number[];
}

/** @param sums one per minute */
export function minuteScale(sums: readonly number[]): MinuteScale {
  const ordered = sums.toSorted((a, b) => b - a);
  const [highest = 0, next = 0] = [ordered[0], ordered[MOST_TOWERS]];
  const isCut = highest > TOWERS_FROM * Math.max(next, LEAST);
  const top = round(isCut ? Math.max(next, LEAST) * ABOVE : Math.max(highest, LEAST));
  return { top, isCut, ticks: [0, top / 2, top] };
}

/** Up to a number whose half is whole and easy to read. */
function round(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit);
  const found = steps.find((step) => step >= value) ?? value;
  return Math.max(LEAST, Math.ceil(found / 2) * 2);
}
