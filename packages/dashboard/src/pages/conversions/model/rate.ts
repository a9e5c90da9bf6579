/** Whole percent, but never 0 or 100 for a share that is neither; null when there is nothing to divide by. */
export function matchRate(matched: string, all: string): number | null {
  const [part, whole] = [Number(matched), Number(all)];
  if (!Number.isFinite(part) || !(whole > 0)) return null;
  const percent = Math.round((part / whole) * 100);
  if (percent === 0 && part > 0) return 1;
  return percent === 100 && part < whole ? 99 : Math.min(100, Math.max(0, percent));
}
