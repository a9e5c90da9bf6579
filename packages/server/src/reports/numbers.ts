/** Numbers and times as reports say them. */
import { rounded, share } from '../common/index.ts';

export { rates, rounded, share } from '../common/index.ts';

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
