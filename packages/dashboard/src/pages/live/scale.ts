/** The scale of the bars of minutes. */

const LEAST = 4;

export interface MinuteScale {
  /** What the height of the chart stands for: no bar is higher. */
  readonly top: number;
  /** The figures at the axis, from the lowest. */
  readonly ticks: readonly number[];
}

/** @param sums one per minute */
export function minuteScale(sums: readonly number[]): MinuteScale {
  const top = round(Math.max(LEAST, ...sums));
  return { top, ticks: [0, top / 2, top] };
}

/** Up to a number whose half is whole and easy to read. */
function round(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit);
  const found = steps.find((step) => step >= value) ?? value;
  return Math.max(LEAST, Math.ceil(found / 2) * 2);
}
