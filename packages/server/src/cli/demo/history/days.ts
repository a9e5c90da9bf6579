/** The days of the demo's past, and when in a day something happens. All in UTC. */
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import type { Chance } from './chance.ts';

export interface Day {
  /** 0: the first one. */
  readonly index: number;
  /** 0: the day that is not over yet. */
  readonly ago: number;
  /** Epoch milliseconds of its first instant. */
  readonly start: number;
  readonly isWeekend: boolean;
}

/** @param until epoch milliseconds, in the last day  @param count at least 1 */
export function daysUntil(until: number, count: number): readonly Day[] {
  const today = Math.floor(until / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    const start = today - ago * DAY_MS;
    return { index, ago, start, isWeekend: [0, 6].includes(new Date(start).getUTCDay()) };
  });
}

/** Share of a day's visits by hour, from midnight on. `waking`: people of Europe and America; `night`: crawlers that spare a site its busy hours. */
const HOURS = {
  waking: [3, 2, 2, 1, 1, 2, 4, 7, 10, 12, 13, 13, 12, 13, 15, 15, 15, 14, 13, 13, 12, 10, 7, 5],
  night: [12, 13, 14, 14, 12, 9, 6, 4, 3, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9, 11],
  evening: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 30, 10, 0, 0],
  even: [4, 5, 4, 4, 5, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4],
} as const;
type Hours = keyof typeof HOURS;
/** `bursts`: some crawls of half an hour, rather at night, and a little between them. */
export type Rhythm = Hours | 'bursts';

const WEIGHTED = Object.fromEntries(
  Object.entries(HOURS).map(([name, weights]) => [
    name,
    weights.map((weight, hour) => [weight, hour] as const),
  ]),
) as Record<Hours, (readonly [number, number])[]>;

/** Of a day, and the share of its visits that they hold. */
const BURSTS = 3;
const IN_BURSTS = 0.65;
const BURST_MS = 30 * 60_000;

/** @returns moments of a day, one at a call: epoch milliseconds */
export function momentsOf(day: Day, rhythm: Rhythm, chance: Chance): () => number {
  const moment = (hours: Hours) =>
    day.start + chance.weighted(WEIGHTED[hours]) * HOUR_MS + Math.floor(chance.next() * HOUR_MS);
  if (rhythm !== 'bursts') return () => moment(rhythm);
  const begins = Array.from({ length: BURSTS }, () => moment('night'));
  const last = day.start + DAY_MS - 1;
  return () =>
    chance.next() < IN_BURSTS
      ? Math.min(last, chance.pick(begins) + Math.floor(chance.next() * BURST_MS))
      : moment('night');
}
