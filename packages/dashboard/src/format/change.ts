/** A relative change, in words. */

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 0,
});
const FINE_CHANGE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
/** From ten times on, a factor is easier to read than a percentage. */
const FACTOR_FROM = 9.995;

/** `23%` up or down, `× 14`; null: nothing to compare with. */
export function changeText(change: number | null): string | null {
  if (change === null) return null;
  if (change >= FACTOR_FROM) return `×\u00a0${SHORT.format(change + 1)}`;
  const size = Math.abs(change);
  // Whole percents, but −100% means none left, and 0% means no change.
  const isNearly = (change < 0 && size >= 0.995 && size < 1) || (size > 0 && size < 0.005);
  if (!isNearly) return CHANGE.format(size);
  return size < 0.0005 ? `<\u00a0${FINE_CHANGE.format(0.001)}` : FINE_CHANGE.format(Math.min(size, 0.999));
}
