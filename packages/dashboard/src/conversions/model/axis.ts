/** Round steps for the height of a chart. For drawing only: figures that are read come from the decimal text itself. */
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/** The lowest round number that holds the peak; 1 when there is none. */
export function ceilingOf(peak: string): number {
  const value = Number(peak);
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((one) => one * magnitude >= value) ?? 10;
  return step * magnitude;
}
