/** From where each day of a period is read: decided at every request, since a day may have grown a second ago. */
import type { HitClass } from '@ghostlight/core';
import {
  type Clock,
  type ComparedDays,
  comparedDaysOf,
  type Days,
  dateOf,
  daysOf,
  firstKeptDay,
  type RetentionClass,
  type RetentionLimits,
  type RetentionRules,
  retentionClassOf,
  ServiceError,
  VISIT_CLASSES,
  type Zoned,
} from '../common/index.ts';
import type { Owner } from '../properties/index.ts';
import { countHits, type FactsPlan, firstHitAt, grownOf, type Warehouse } from '../warehouse/index.ts';
import { isOfDay, type Ledger, type OverQuota } from './ledger.ts';
import { STORED_OVERLAP_MS } from './rollup.ts';
import { spanOf } from './zones.ts';

export interface PeriodDays {
  /** Both inside. */
  readonly from: number;
  readonly to: number;
  /** First day of what it is compared with; null: nothing is compared. */
  readonly compareFrom: number | null;
}

/** Why a comparison that was asked for says nothing, in the order in which it is looked for. */
export const NOT_COMPARED = ['not_over', 'no_earlier_data', 'over_quota'] as const;
export type NotCompared = (typeof NOT_COMPARED)[number];

export interface Plan extends FactsPlan {
  /** null: the days are compared, or no comparison was asked for. */
  readonly notCompared: NotCompared | null;
  /** The zone whose days these are; IANA name. */
  readonly timeZone: string;
  /** `YYYY-MM-DD`: the first day of this zone; null: every day is of it. */
  readonly zoneSince: string | null;
  readonly dayAt: Days['dayAt'];
  /** Of the period itself, read from raw hits: they may still grow. */
  readonly partialDays: readonly string[];
  /** Days of the period, and of those compared, on which visits were dropped over the quota: their figures are too low. */
  readonly overQuota: OverQuota;
  /** The same of any day of the period and of those it was asked to be compared with, whether or not they are over. */
  readonly isOverQuota: (day: number) => boolean;
  /** Epoch milliseconds; null: nothing was ever counted. */
  readonly countedUntil: number | null;
  /** `YYYY-MM-DD`: the first day of the property that has a hit, in the period or not; null: none has. */
  readonly dataSince: string | null;
  /** The first day whose hits of these classes are all kept one by one. */
  readonly keptFromOf: (classes: readonly (HitClass | 'counted')[]) => number;
  /** The first day whose figures are kept: earlier ones are in no plan. */
  readonly figuresFrom: number;
}

const NONE_COMPARED: ComparedDays = { now: 0, before: 0 };

/** Whose days a report is about. */
export interface ZonedOwner extends Owner, Zoned {
  /** Not null: days are counted again since the zone was changed. */
  readonly recountAskedAt: number | null;
  readonly retention?: RetentionRules;
}

export type MakePlan = (owner: ZonedOwner, period: PeriodDays, signal?: AbortSignal) => Promise<Plan>;

export function createPlanner({
  warehouse,
  ledger,
  retention,
  clock,
}: {
  warehouse: Warehouse;
  ledger: Pick<Ledger, 'counted' | 'countedUntil' | 'firstCounted' | 'overQuota'>;
  retention: RetentionLimits;
  clock: Clock;
}): MakePlan {
  return async (owner, { from: asked, to, compareFrom: comparedWith }, signal) => {
    const scope = { organizationId: owner.organizationId, attributionId: owner.id };
    const calendar = daysOf(owner);
    const { startOf, dayAt } = calendar;
    const rules = owner.retention ?? {};
    const firstOf = (name: RetentionClass): number =>
      firstKeptDay(calendar, clock(), { limits: retention, rules, name });
    const figuresFrom = firstOf('daily');
    if (to < figuresFrom) throw tooOld(figuresFrom);
    // Days whose figures are deleted would else be days without visits.
    const from = Math.max(asked, figuresFrom);
    const compareFrom = comparedWith === null ? null : comparedWith + from - asked;
    const comparedDays =
      compareFrom === null ? NONE_COMPARED : comparedDaysOf({ from, to }, compareFrom, dayAt(clock()));
    const first = compareFrom !== null && comparedDays.before > 0 ? compareFrom : from;
    const [countedUntil, firstCounted, overQuota] = await Promise.all([
      ledger.countedUntil(),
      ledger.firstCounted(owner),
      ledger.overQuota(owner, compareFrom ?? from, to),
    ]);
    const [counted, grown, firstAt] = await Promise.all([
      ledger.counted(owner, first, to),
      countedUntil === null
        ? new Set<number>()
        : grownOf(warehouse, scope, countedUntil - STORED_OVERLAP_MS, signal).then((found) =>
            daysBetween(found, dayAt),
          ),
      // After a nightly run, what is not counted yet is younger than a day that is, or has just grown. Days counted by name say nothing of others.
      firstCounted === null || countedUntil === null ? firstHitAt(warehouse, scope, signal) : null,
    ]);
    const beginnings = [firstCounted, firstAt === null ? null : dayAt(firstAt), ...grown].filter(
      (day) => day !== null,
    );
    // Of a day that has begun since then, every raw hit is still there.
    const kept = Math.max(...VISIT_CLASSES.map(firstOf));
    const isKept = (day: number): boolean => day >= Math.max(kept, calendar.since);
    /** Its rows are of a day of another zone, and the hits of today's day are still there. */
    const isChanged = (day: number): boolean => {
      const run = counted.get(day);
      return run !== undefined && isKept(day) && !isOfDay(run, spanOf(calendar, day));
    };
    const dataSince = beginnings.length === 0 ? null : Math.min(...beginnings);
    // Something was stored since, or may have been: days can be counted by name, or for another zone, before the first night. Whether it
    // is more than was counted, the day's own number says.
    const doubtful = [...counted.keys()]
      .filter((day) => (countedUntil === null || grown.has(day)) && isKept(day) && !isChanged(day))
      .sort((a, b) => a - b);
    const now = doubtful.length === 0 ? null : await countHits(warehouse, scope, doubtful, startOf, signal);
    const isRaw = (day: number): boolean => {
      const run = counted.get(day);
      if (run !== undefined) return isChanged(day) || (now?.get(day) ?? 0) > run.hits;
      // Over before everything was counted, and no rows: it had no hits then. In the former zone it may have had none.
      return (
        countedUntil === null ||
        startOf(day + 1) > countedUntil ||
        grown.has(day) ||
        (owner.recountAskedAt !== null && isKept(day))
      );
    };
    /** Of the period, or of the days it is compared with: other days between the two are in no answer. */
    const isAnswered = (day: number): boolean =>
      day >= from || (comparedDays.before > 0 && day < first + comparedDays.before);
    const days = Array.from({ length: to - first + 1 }, (_, index) => first + index).filter(isAnswered);
    const rawDays = days.filter(isRaw);
    const raw = new Set(rawDays);
    const isOverQuota = (day: number): boolean => overQuota.has(day);
    const notCompared = whyNotCompared({
      ...{ from, compareFrom, comparedDays, dataSince, figuresFrom, isOverQuota },
    });
    return {
      ...scope,
      notCompared,
      from,
      to,
      previous: comparedDays.before > 0 ? { from: first, to: first + comparedDays.before - 1 } : null,
      comparedTo: from + comparedDays.now - 1,
      isComparable: compareFrom !== null && notCompared === null,
      runs: days.flatMap((day) => (raw.has(day) ? [] : (counted.get(day)?.run ?? []))),
      hasLists: days.every((day) => raw.has(day) || (counted.get(day)?.isComplete ?? true)),
      rawDays,
      startOf,
      dayAt,
      timeZone: owner.timeZone,
      zoneSince: owner.zoneSince === null ? null : dateOf(owner.zoneSince.day),
      partialDays: rawDays.filter((day) => day >= from).map(dateOf),
      overQuota: new Map([...overQuota].filter(([day]) => isAnswered(day))),
      isOverQuota,
      countedUntil,
      dataSince: dataSince === null ? null : dateOf(dataSince),
      keptFromOf: (classes) =>
        Math.max(...classes.map((name) => firstOf(retentionClassOf(name))), figuresFrom),
      figuresFrom,
    };
  };
}

interface Compared extends Pick<Plan, 'from' | 'figuresFrom' | 'isOverQuota'> {
  /** null: nothing was asked for. */
  readonly compareFrom: number | null;
  readonly comparedDays: ComparedDays;
  readonly dataSince: number | null;
}

function whyNotCompared({ compareFrom, dataSince, figuresFrom, ...days }: Compared): NotCompared | null {
  if (compareFrom === null) return null;
  if (days.comparedDays.now <= 0) return 'not_over';
  // Of its first day a property has only what came after it began to collect: more the next day would be no growth.
  if (dataSince === null || dataSince >= compareFrom || figuresFrom > compareFrom) return 'no_earlier_data';
  const { now, before } = days.comparedDays;
  return areWhole(days, days.from, now) && areWhole(days, compareFrom, before) ? null : 'over_quota';
}

/** No visit of these days was dropped: otherwise their difference to others is one of what was stored. */
export const areWhole = ({ isOverQuota }: Pick<Plan, 'isOverQuota'>, first: number, days: number): boolean =>
  !Array.from({ length: days }, (_, day) => first + day).some(isOverQuota);

const tooOld = (figuresFrom: number) =>
  new ServiceError('invalid', 'Figures of this period are no longer kept.', {
    errors: [
      { pointer: '/to', message: `Figures of this property are kept from ${dateOf(figuresFrom)} on.` },
    ],
  });

function daysBetween(
  found: readonly { readonly first: number; readonly last: number }[],
  dayAt: Days['dayAt'],
): Set<number> {
  const days = new Set<number>();
  for (const { first, last } of found)
    for (let day = dayAt(first); day <= dayAt(last); day += 1) days.add(day);
  return days;
}
