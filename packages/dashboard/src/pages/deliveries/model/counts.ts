/** Sums of deliveries, for the strip above the list, the flow and the tables. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Point } from '../../../features/charts/steps.ts';
import type { Counts, DestinationTotals, ReportDay } from '../../../features/deliveries/api.ts';
import type { Period } from '../../../format/period.ts';

export interface Sums {
  readonly created: number;
  readonly delivered: number;
  readonly accepted: number;
  readonly waiting: number;
  readonly dead: number;
  readonly unknown: number;
  readonly skipped: number;
}

const NO_SUMS: Sums = {
  created: 0,
  delivered: 0,
  accepted: 0,
  waiting: 0,
  dead: 0,
  unknown: 0,
  skipped: 0,
};

export function sumsOf(all: readonly Counts[]): Sums {
  return all.reduce<Sums>(
    (sum, one) => ({
      created: sum.created + one.created,
      delivered: sum.delivered + one.delivered,
      accepted: sum.accepted + one.accepted,
      waiting: sum.waiting + one.waiting,
      dead: sum.dead + one.dead,
      unknown: sum.unknown + one.unknown,
      skipped: sum.skipped + total(one.skipped),
    }),
    NO_SUMS,
  );
}

/** The most frequent first. */
export function reasonsOf(all: readonly Counts[]): readonly (readonly [reason: string, count: number])[] {
  const sums = new Map<string, number>();
  for (const { skipped } of all) {
    for (const [reason, count] of Object.entries(skipped)) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  return [...sums].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}

/** The sums of one destination or platform, or of all. */
export function chosenTotals(
  all: readonly DestinationTotals[],
  { destination, platform }: { destination?: string; platform?: string },
): readonly DestinationTotals[] {
  return all.filter(
    (one) =>
      (destination === undefined || one.destination === destination) &&
      (platform === undefined || one.platform === platform),
  );
}

/** Most failed and unknown first, since those need attention; then the largest. */
export function worstFirst(all: readonly DestinationTotals[]): readonly DestinationTotals[] {
  const lost = ({ dead, unknown }: DestinationTotals): number => dead + unknown;
  return all.toSorted((a, b) => lost(b) - lost(a) || b.created - a.created);
}

/** The conversions that could be sent. */
export const eligibleOf = ({ created, skipped }: Sums): number => created - skipped;

/** Those that the rate is of: what still waits has not failed. */
export const finishedOf = ({ delivered, dead, unknown }: Pick<Sums, 'delivered' | 'dead' | 'unknown'>) =>
  delivered + dead + unknown;

function total(skipped: Counts['skipped']): number {
  return Object.values(skipped).reduce((sum, count) => sum + count, 0);
}

/** Deliveries of one destination by day, without gaps. */

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
