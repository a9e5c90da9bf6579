/**
 * What is usual for a property, out of two weeks that end a day ago: so what happens now does not become usual while it happens. Robust on
 * purpose: crawlers come in bursts, daily or weekly, and one bad day must not teach that bad days are normal.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import { sum } from '../common/index.ts';
import type { TrafficHour } from '../warehouse/index.ts';

export const BASELINE_DAYS = 14;
export const BASELINE_HOURS = BASELINE_DAYS * 24;

/** The fourth of 336 hours: a weekly visit of two hours is usual, three odd hours are not. */
const BUSY_HOUR = 3;
/** The second of 14 days: what came twice is usual, what came once is not. */
const BUSY_DAY = 1;

export interface BaselineBot {
  /** Visits, spoofed ones not among them. */
  readonly busyHour: number;
  readonly busyDay: number;
  readonly medianDay: number;
  /** The most visits on one of the 14 days. */
  readonly mostInADay: number;
  /** Of the whole ones: days with at least one visit. */
  readonly days: number;
}

/** Small, so that it can be kept for every property from one full hour to the next. */
export interface Baseline {
  readonly bots: ReadonlyMap<string, BaselineBot>;
  /** Of the 14: days on which no visits were dropped over the quota. What is usual of hours and days is of these alone. */
  readonly wholeDays: number;
  /** The most visits of an engine on one of the 14 days. */
  readonly engines: ReadonlyMap<string, number>;
  readonly busySpoofedHour: number;
  /** Of the answers to AI bots; null: there were none. */
  readonly failingShare: number | null;
  /** Of the 14: days on which anything came. */
  readonly days: number;
  /** Hours in a row without anything, the longest silence but one. */
  readonly silence: number;
  /** Epoch ms; 0: nothing came. */
  readonly lastReceivedAt: number;
}

/** Moments between which all visits were dropped over the quota; epoch milliseconds. */
export interface Closed {
  readonly from: number;
  readonly to: number;
}

/**
 * @param rows their hour counts from the end of the two weeks
 * @param cut hours in which visits were dropped, counted in the same way
 */
export function baselineOf(rows: readonly TrafficHour[], cut: ReadonlySet<number> = new Set()): Baseline {
  const isWhole = (hour: number): boolean => !cut.has(hour);
  const wholeHours = (hours: readonly number[]): number[] => hours.filter((_, hour) => isWhole(hour));
  const isWholeDay = Array.from({ length: BASELINE_DAYS }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => day * 24 + hour).every(isWhole),
  );
  const wholeDays = (days: readonly number[]): number[] => days.filter((_, day) => isWholeDay[day]);
  const bots = Map.groupBy(
    rows.filter((row) => row.class === 'ai_bot'),
    ({ name }) => name,
  );
  const aiBots = [...bots.values()].flat();
  // An hour in which visits were dropped was no silence.
  const present = hourly(rows, () => 1).map((hits, hour) => (isWhole(hour) ? hits : 1));
  const answered = sum(aiBots.map((row) => row.answered));
  return {
    bots: new Map(
      [...bots].map(([name, own]) => {
        const hours = hourly(own, ({ visits }) => visits);
        const [all, days] = [daily(hours), wholeDays(daily(hours))];
        return [
          name,
          {
            busyHour: nthLargest(wholeHours(hours), BUSY_HOUR),
            busyDay: nthLargest(days, BUSY_DAY),
            mostInADay: Math.max(...all),
            medianDay: nthLargest(days, Math.floor(days.length / 2)),
            days: days.filter((visits) => visits > 0).length,
          },
        ] as const;
      }),
    ),
    engines: new Map(
      [
        ...Map.groupBy(
          rows.filter((row) => row.class === 'ai_referral'),
          ({ name }) => name,
        ),
      ].map(([name, own]) => [name, Math.max(...daily(hourly(own, ({ visits }) => visits)))]),
    ),
    wholeDays: isWholeDay.filter(Boolean).length,
    busySpoofedHour: nthLargest(wholeHours(hourly(aiBots, ({ spoofed }) => spoofed)), BUSY_HOUR),
    failingShare: answered > 0 ? sum(aiBots.map((row) => row.failed)) / answered : null,
    days: daily(present).filter((hits) => hits > 0).length,
    silence: nthLargest(silences(present), 1),
    lastReceivedAt: rows.reduce((last, row) => Math.max(last, row.received_at), 0),
  };
}

function hourly(rows: readonly TrafficHour[], of: (row: TrafficHour) => number): number[] {
  const hours = new Array<number>(BASELINE_HOURS).fill(0);
  for (const row of rows) hours[row.hour] = (hours[row.hour] ?? 0) + of(row);
  return hours.slice(0, BASELINE_HOURS);
}

const daily = (hours: readonly number[]): number[] =>
  Array.from({ length: BASELINE_DAYS }, (_, day) => sum(hours.slice(day * 24, day * 24 + 24)));

/** Lengths of the stretches of hours without anything. */
export function silences(hours: readonly number[]): number[] {
  const lengths: number[] = [];
  let length = 0;
  for (const hits of [...hours, 1]) {
    if (hits === 0) length += 1;
    else if (length > 0) {
      lengths.push(length);
      length = 0;
    }
  }
  return lengths;
}

/** The hours of the two weeks, or of more, that the intervals touch. @param until their end, epoch milliseconds */
export function hoursCut(
  closed: readonly Closed[],
  until: number,
  length = BASELINE_HOURS,
): ReadonlySet<number> {
  const hours = new Set<number>();
  for (const { from, to } of closed) {
    // The hour that ends at `until` is 0.
    const [first, last] = [Math.floor((until - to) / HOUR_MS), Math.ceil((until - from) / HOUR_MS) - 1];
    for (let hour = Math.max(0, first); hour <= Math.min(last, length - 1); hour += 1) hours.add(hour);
  }
  return hours;
}

/** @param n from 0 */
const nthLargest = (values: readonly number[], n: number): number => values.toSorted((a, b) => b - a)[n] ?? 0;
