/** The rate limit of a key, in requests per minute. */
export const RATE = { least: 1, most: 100_000, usual: 60 } as const;

/** Null: not a whole number within the limits. */
export function readRate(text: string): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return value >= RATE.least && value <= RATE.most ? value : null;
}

/** The attribution window in days. */
export const LOOKBACK = { least: 1, most: 90 } as const;

/** Null: not a whole number of days within the limits. */
export function readDays(text: string): number | null {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return value >= LOOKBACK.least && value <= LOOKBACK.most ? value : null;
}
