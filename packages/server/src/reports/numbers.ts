/** Numbers and times as reports say them. */

/** Sums of weights carry the noise of floating point in their last digits, and in another order other noise. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Of shares: to a hundred-thousandth of a percent. */
export const share = (value: number): number => Math.round(value * 1e7) / 1e7;

/** @param of 0: there is nothing that it could be a part of */
export const part = (value: number, of: number): number => (of > 0 ? share(value / of) : 0);

/** Epoch milliseconds as RFC 3339; 0 is never. */
export const moment = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());

/** Every number of an object rounded, the rest as it is. */
export function roundedAll<T extends object>(values: T): T {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
  ) as T;
}
