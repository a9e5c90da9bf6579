/** Deliveries of one destination by day, without gaps. */
import type { Period } from '../../format/period.ts';
import type { ReportDay } from '../types.ts';
import { NO_SUMS, type Sums, sumsOf } from './counts.ts';

const DAY_MS = 86_400_000;
/** More bars than that can't be told apart: then one stands for a week. */
const MAX_BARS = 93;

/** From the bottom of a bar to its top. */
export const PARTS = ['accepted', 'waiting', 'skipped', 'unknown', 'dead'] as const;
export type DayPart = (typeof PARTS)[number];

export interface Bar extends Readonly<Record<DayPart, number>> {
  /** Its day, or the first of its week: `2026-11-21`. */
  readonly day: string;
  readonly received: number;
  readonly matched: number;
  readonly created: number;
}

export interface Bars {
  readonly step: 'day' | 'week';
  readonly bars: readonly Bar[];
}

export function barsOf(days: readonly ReportDay[], destination: string, period: Period): Bars {
  const step = period.days > MAX_BARS ? 'week' : 'day';
  const length = step === 'week' ? 7 : 1;
  const known = new Map(days.map((day) => [day.day, day]));
  const all = Array.from({ length: period.days }, (_, index) =>
    new Date(Date.parse(period.from) + index * DAY_MS).toISOString().slice(0, 10),
  );
  const starts = all.filter((_, index) => index % length === 0);
  const bars = starts.map((day, index) => {
    const inside = all.slice(index * length, (index + 1) * length).flatMap((one) => known.get(one) ?? []);
    return barOf(day, inside, destination);
  });
  return { step, bars };
}

function barOf(day: string, inside: readonly ReportDay[], destination: string): Bar {
  const counts = inside.flatMap(({ destinations }) =>
    destinations.filter((one) => one.destination === destination),
  );
  const sums: Sums = counts.length === 0 ? NO_SUMS : sumsOf(counts);
  return {
    day,
    received: inside.reduce((sum, one) => sum + one.received, 0),
    matched: inside.reduce((sum, one) => sum + one.matched, 0),
    created: sums.created,
    accepted: sums.delivered + sums.accepted,
    waiting: sums.waiting,
    skipped: sums.skipped,
    unknown: sums.unknown,
    dead: sums.dead,
  };
}
