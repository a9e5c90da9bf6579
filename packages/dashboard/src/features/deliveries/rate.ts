/** The share of deliveries that were delivered, as text. */

/** Percent with one decimal place; 0 and 100 only when exact; null without a rate. */
export function percentOf(rate: string | null): string | null {
  const value = rate === null ? Number.NaN : Number(rate);
  if (!Number.isFinite(value)) return null;
  const percent = Math.round(value * 1000) / 10;
  if (percent >= 100 && value < 1) return '99.9%';
  if (percent <= 0 && value > 0) return '0.1%';
  return `${percent.toFixed(1)}%`;
}
