/** The share of conversions that a platform accepted, as text. */
import type { DestinationTotals } from './api.ts';

/** The service's rate, once a delivery is final: pending ones are no failures. */
export function rateOf(totals: Omit<DestinationTotals, 'platform'>): string | null {
  const { delivered, accepted, dead, unknown } = totals;
  return delivered + accepted + dead + unknown === 0 ? null : percentOf(totals.rate);
}

/** Percent with one decimal place; 0 and 100 only when exact; null without a rate. */
export function percentOf(rate: string | null): string | null {
  const value = rate === null ? Number.NaN : Number(rate);
  if (!Number.isFinite(value)) return null;
  const percent = Math.round(value * 1000) / 10;
  if (percent >= 100 && value < 1) return '99.9%';
  if (percent <= 0 && value > 0) return '0.1%';
  return `${percent.toFixed(1)}%`;
}
