/** From where each day of a period is read: decided at every request, since a day may have grown a second ago. */
import type { Clock } from '../kit/index.ts';
import {
  countHits,
  DAY_MS,
  dateOf,
  type FactsPlan,
  firstHitAt,
  grownDays,
  type Warehouse,
} from '../warehouse/index.ts';
import { dayAt } from './days.ts';
import type { Ledger, Owner } from './ledger.ts';
import { STORED_OVERLAP_MS } from './rollup.ts';

export interface PeriodDays {
  /** Both inside. */
  readonly from: number;
  readonly to: number;
  readonly compare: boolean;
}

export interface Plan extends FactsPlan {
  /** Of the period itself, read from raw hits: they may still grow. */
  readonly partialDays: readonly string[];
  /** Epoch milliseconds; null: nothing was ever counted. */
  readonly countedUntil: number | null;
  /** `YYYY-MM-DD`: the first day of the property that has a hit, in the period or not; null: none has. */
  readonly dataSince: string | null;
}

export type MakePlan = (owner: Owner, period: PeriodDays, signal?: AbortSignal) => Promise<Plan>;

export function createPlanner({
  warehouse,
  ledger,
  retentionDays,
  clock,
}: {
  warehouse: Warehouse;
  ledger: Pick<Ledger, 'counted' | 'countedUntil' | 'firstCounted'>;
  retentionDays: number;
  clock: Clock;
}): MakePlan {
  return async (owner, { from, to, compare }, signal) => {
    const scope = { organizationId: owner.organizationId, attributionId: owner.id };
    const first = compare ? from - (to - from + 1) : from;
    const [countedUntil, firstCounted] = await Promise.all([
      ledger.countedUntil(),
      ledger.firstCounted(owner),
    ]);
    const [counted, grown, firstAt] = await Promise.all([
      ledger.counted(owner, first, to),
      countedUntil === null
        ? new Set<number>()
        : grownDays(warehouse, scope, countedUntil - STORED_OVERLAP_MS, signal).then((days) => new Set(days)),
      // Whatever is not counted yet is younger than a day that is, or has just grown.
      firstCounted === null ? firstHitAt(warehouse, scope, signal) : null,
    ]);
    const beginnings = [firstCounted, firstAt === null ? null : dayAt(firstAt), ...grown].filter(
      (day) => day !== null,
    );
    // Something was stored since: whether it is more than was counted, the day's own number says.
    const kept = dayAt(clock() - retentionDays * DAY_MS) + 1;
    const doubtful = [...counted.keys()].filter((day) => grown.has(day) && day >= kept);
    const now = doubtful.length === 0 ? null : await countHits(warehouse, scope, doubtful, signal);
    const isRaw = (day: number): boolean => {
      const run = counted.get(day);
      if (run !== undefined) return (now?.get(day) ?? 0) > run.hits;
      // Over before everything was counted, and no rows: it had no hits then.
      return countedUntil === null || (day + 1) * DAY_MS > countedUntil || grown.has(day);
    };
    const days = Array.from({ length: to - first + 1 }, (_, index) => first + index);
    const rawDays = days.filter(isRaw);
    const raw = new Set(rawDays);
    return {
      ...scope,
      from,
      to,
      previousFrom: compare ? first : null,
      runs: [...counted].filter(([day]) => !raw.has(day)).map(([, { run }]) => run),
      rawDays,
      partialDays: rawDays.filter((day) => day >= from).map(dateOf),
      countedUntil,
      dataSince: beginnings.length === 0 ? null : dateOf(Math.min(...beginnings)),
    };
  };
}
