/** The hours of a short period. They are counted from its first moment, since days of a time zone need not begin at an hour of UTC. */
import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';

interface Period {
  /** Epoch milliseconds, inside and outside. */
  readonly from: number;
  readonly to: number;
}

/** A week has an hour more where clocks go back. */
export const hasHours = ({ from, to }: Period): boolean => to - from <= MOST_DAYS_OF_HOURS * DAY_MS + HOUR_MS;

/** The beginning of the hour in which a moment lies. */
export const hourAt = (at: number, from: number): number =>
  from + Math.floor((at - from) / HOUR_MS) * HOUR_MS;

/** The hours that have begun. */
export function hoursOf(
  { from, to }: Period,
  now: number,
): { readonly from: string; readonly until: string } {
  const begun = Math.max(0, Math.ceil((Math.min(now, to) - from) / HOUR_MS));
  return { from: new Date(from).toISOString(), until: new Date(from + begun * HOUR_MS).toISOString() };
}
