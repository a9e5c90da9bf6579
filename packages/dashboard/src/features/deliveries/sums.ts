/** Sums of deliveries by outcome. */
import type { Counts } from './api.ts';

export interface Sums {
  readonly created: number;
  readonly delivered: number;
  readonly accepted: number;
  readonly waiting: number;
  readonly dead: number;
  readonly unknown: number;
  readonly skipped: number;
}

/** Of no deliveries. */
export const NO_SUMS: Sums = {
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

function total(skipped: Counts['skipped']): number {
  return Object.values(skipped).reduce((sum, count) => sum + count, 0);
}
