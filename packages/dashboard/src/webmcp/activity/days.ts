/** A gapless row of UTC days for the chart: the service may leave out days without a fetch. */
import type { Point } from '../../charts/steps.ts';

const DAY_MS = 86_400_000;

interface Day {
  /** `2026-11-21`. */
  readonly day: string;
  readonly fetches: number;
}

/** @returns `count` days, oldest first, the last one being the UTC day of `now` (epoch milliseconds), which may still grow */
export function gapless(days: readonly Day[], count: number, now: number): Point[] {
  const known = new Map(days.map(({ day, fetches }) => [day.slice(0, 10), fetches]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, partial: index === count - 1, values: { fetches: known.get(day) ?? 0 } };
  });
}
