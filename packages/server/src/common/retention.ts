/**
 * How long data is kept, by class. The installation says how long each class may be kept at most, and how long it is unless a property says
 * otherwise; a property may keep less than the most.
 */
import type { HitClass } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { Days } from './time-zone.ts';

/** In the order in which they are shown. */
export const RETENTION_CLASSES = [
  'ai_visits',
  'referrals',
  'samples',
  'events',
  'visitors',
  'conversions',
  'deliveries',
  'daily',
] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** What a property says; a class that is absent is kept as the installation says. Days. */
export type RetentionRules = Partial<Readonly<Record<RetentionClass, number>>>;

export interface RetentionBounds {
  /** Where a property says nothing. */
  readonly days: number;
  readonly least: number;
  readonly most: number;
}

/** Of an installation. */
export type RetentionLimits = Readonly<Record<RetentionClass, RetentionBounds>>;

/** Classes whose rows are visits, one by one. */
export const VISIT_CLASSES = [
  'ai_visits',
  'referrals',
  'samples',
] as const satisfies readonly RetentionClass[];

/** Closed days are counted in the first nights; a refund and a late delivery come within a month. */
const LEAST_DAYS: Readonly<Record<RetentionClass, number>> = {
  ...{ ai_visits: 7, referrals: 7, samples: 7, events: 7, visitors: 7 },
  ...{ conversions: 30, deliveries: 30, daily: 7 },
};

/** @param byClass what RETENTION_CLASSES says */
export function retentionLimits(of: {
  readonly retentionDays: number;
  readonly visitorRetentionDays: number;
  readonly dailyDays: number;
  readonly byClass?: RetentionRules;
}): RetentionLimits {
  const bounds = RETENTION_CLASSES.map((name): [RetentionClass, RetentionBounds] => {
    const most =
      name === 'visitors' ? of.visitorRetentionDays : name === 'daily' ? of.dailyDays : of.retentionDays;
    const days = Math.min(of.byClass?.[name] ?? most, most);
    return [name, { days, least: Math.min(LEAST_DAYS[name], most), most }];
  });
  return Object.fromEntries(bounds) as unknown as RetentionLimits;
}

/** How many days a class is kept. */
export const keptDays = (limits: RetentionLimits, rules: RetentionRules, name: RetentionClass): number =>
  Math.min(rules[name] ?? limits[name].days, limits[name].most);

/**
 * The first day of which all data of a class is kept; what is older is deleted, and in no report. What is kept for less long than the
 * installation allows is deleted by days of the property's calendar, so that a row is kept for at least so many days. The rest is deleted by
 * the stores' own rule, which goes by the moment: the day in which that moment lies is not whole.
 */
export function firstKeptDay(
  { dayAt }: Pick<Days, 'dayAt'>,
  now: number,
  { limits, rules, name }: { limits: RetentionLimits; rules: RetentionRules; name: RetentionClass },
): number {
  const days = keptDays(limits, rules, name);
  return days < limits[name].most ? dayAt(now) - days : dayAt(now - days * DAY_MS) + 1;
}

/** How long hits of a class are kept, in milliseconds. */
export function keptMs(limits: RetentionLimits, rules: RetentionRules): Readonly<Record<HitClass, number>> {
  const of = (name: RetentionClass): number => keptDays(limits, rules, name) * DAY_MS;
  return Object.fromEntries(
    Object.entries(CLASS_OF_HIT).map(([hit, name]) => [hit, of(name)]),
  ) as unknown as Record<HitClass, number>;
}

/** How many days every single visit is kept, whatever its class. */
export const keptWhole = (limits: RetentionLimits, rules: RetentionRules): number =>
  Math.min(...VISIT_CLASSES.map((name) => keptDays(limits, rules, name)));

const CLASS_OF_HIT: Readonly<Record<HitClass | 'counted', (typeof VISIT_CLASSES)[number]>> = {
  ai_bot: 'ai_visits',
  search_engine: 'ai_visits',
  ai_referral: 'referrals',
  sample: 'samples',
  counted: 'samples',
  test: 'samples',
};
export const retentionClassOf = (hit: HitClass | 'counted'): (typeof VISIT_CLASSES)[number] =>
  CLASS_OF_HIT[hit];

/** The classes of hits whose rows a retention class keeps. */
export const hitClassesOf = (name: RetentionClass): readonly string[] =>
  Object.entries(CLASS_OF_HIT).flatMap(([hit, kept]) => (kept === name ? [hit] : []));

/** Of this age nothing is too old for any property, so that nothing has to be looked up. */
export const ALWAYS_KEPT_MS = DAY_MS;

/** As the database has it. @returns no rules for what can't be read */
export function readRules(text: string | null): RetentionRules {
  if (text === null) return {};
  try {
    const found = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(
      RETENTION_CLASSES.flatMap((name) => (typeof found[name] === 'number' ? [[name, found[name]]] : [])),
    ) as RetentionRules;
  } catch {
    return {};
  }
}
