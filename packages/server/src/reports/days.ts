/** Days in UTC, counted from 1970-01-01. `dateOf` of the warehouse writes them. */
import { DAY_MS } from '../warehouse/index.ts';

/** @param date `YYYY-MM-DD` @returns NaN for what is no day of the calendar */
export function dayOf(date: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // `2026-02-30` is read as the second of March.
  return new Date(at).getTime() === at && new Date(at).toISOString().startsWith(date)
    ? at / DAY_MS
    : Number.NaN;
}

/** The day in which a moment lies; epoch milliseconds. */
export const dayAt = (at: number): number => Math.floor(at / DAY_MS);
