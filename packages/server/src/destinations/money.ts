/** Decimal text → what platforms take. `x * 100` on a float would send 1998 for 19.99 now and then. */
import { currencyExponent } from '@ghostlight/core';

/**
 * For platforms that take a JSON number.
 * @param decimal canonical, as core writes it
 * @returns the nearest number; null for what is none, and from 2^53 on, where two amounts would be the same number
 */
export function toNumber(decimal: string | null): number | null {
  const value = decimal === null ? null : Number(decimal);
  return value === null || Math.abs(value) > Number.MAX_SAFE_INTEGER ? null : value;
}

/**
 * @param decimal canonical, ≥ 0; digits beyond the currency's are rounded half up
 * @returns whole minor units (cents), or null for a currency that is none and an amount beyond 2^53
 */
export function toMinorUnits(decimal: string, currency: string): number | null {
  const exponent = currencyExponent(currency);
  const [, integer, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(decimal) ?? [];
  if (exponent === null || integer === undefined) return null;
  const kept = BigInt(integer + fraction.slice(0, exponent).padEnd(exponent, '0'));
  const units = Number((fraction[exponent] ?? '0') >= '5' ? kept + 1n : kept);
  return Number.isSafeInteger(units) ? units : null;
}
