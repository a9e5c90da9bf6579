/** Deliveries of one destination by day, without gaps. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Period } from '../../format/period.ts';
import type { Point } from '../charts/steps.ts';
import type { ReportDay } from './api.ts';
import { NO_SUMS, type Sums, sumsOf } from './sums.ts';

/** From the bottom of a bar to its top. */
export const PARTS = ['delivered', 'processing', 'waiting', 'skipped', 'unknown', 'dead'] as const;
export type DayPart = (typeof PARTS)[number];

/** The figures of a day: its parts, the deliveries due, and the conversions behind them. */
type DayFigure = DayPart | 'created' | 'received' | 'matched';

export interface DayPoint extends Point {
  readonly values: Readonly<Record<DayFigure, number>>;
}

/** @param today the day that is not over */
export function pointsOf(
  days: readonly ReportDay[],
  destination: string,
  period: Pick<Period, 'from' | 'days'>,
  today: string,
): DayPoint[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: period.days }, (_, index) => {
    const day = new Date(Date.parse(period.from) + index * DAY_MS).toISOString().slice(0, 10);
    return { day, partial: day === today, values: figuresOf(known.get(day), destination) };
  });
}

function figuresOf(day: ReportDay | undefined, destination: string): Readonly<Record<DayFigure, number>> {
  const counts = day?.destinations.filter((one) => one.destination === destination) ?? [];
  const sums: Sums = counts.length === 0 ? NO_SUMS : sumsOf(counts);
  return {
    received: day?.received ?? 0,
    matched: day?.matched ?? 0,
    created: sums.created,
    delivered: sums.delivered,
    processing: sums.accepted,
    waiting: sums.waiting,
    skipped: sums.skipped,
    unknown: sums.unknown,
    dead: sums.dead,
  };
}
