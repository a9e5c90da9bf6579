/** What is watched for: the closed set of kinds, in the order in which they are shown. */
import { rounded, share } from '../common/index.ts';
import type { Population } from '../warehouse/index.ts';

export const KINDS = [
  'new_bot',
  'spike',
  'drop_to_zero',
  'spoof_surge',
  'bot_errors',
  'collector_quiet',
  'forwarding_failing',
  'ai_referral_first',
  'quota',
] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds that a channel gets, as the database has them. @returns null: all */
export function kindsOf(text: string | null): readonly Kind[] | null {
  if (text === null) return null;
  const named = JSON.parse(text) as readonly string[];
  return KINDS.filter((kind) => named.includes(kind));
}

/** Of the rules, except for those that say otherwise. */
export const DEFAULT_POPULATION = 'verified_unknown' as const satisfies Population;

/** What the figures of an alert count. */
export const UNITS = ['visits', 'share', 'hours', 'deliveries'] as const;
export type Unit = (typeof UNITS)[number];

/** An alert's figures as text, with the significant digits only. */
export function figuresOf({ now, usual, unit }: Figured) {
  const told = unit === 'share' ? share : rounded;
  return { now: told(now), usual: usual === null ? null : told(usual), unit: unit as Unit };
}

interface Figured {
  readonly now: number;
  readonly usual: number | null;
  /** A `Unit`. */
  readonly unit: string;
}

export interface KindFacts {
  readonly title: string;
  /** Whose visits its figures count; null: it counts no visits. */
  readonly population: Population | null;
  /** For people: when it fires. `{n}` stands for the threshold. */
  readonly description: string;
  /** What the threshold counts. */
  readonly unit: string;
  /** A figure reaches the threshold from there, or by being under it. */
  readonly fires: 'at_least' | 'below';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Something happened, and is not over later; else: something holds until it is over. */
  readonly isNews: boolean;
}

export const FACTS: Readonly<Record<Kind, KindFacts>> = {
  new_bot: {
    title: 'New bot',
    population: 'verified_unknown',
    description:
      'A bot visits for the first time, with {n} or more visits within a day. Spoofed visits don’t count. Bots of a property’s first day count as known.',
    unit: 'visits',
    fires: 'at_least',
    default: 1,
    min: 1,
    max: 10_000,
    isNews: true,
  },
  spike: {
    title: 'Spike',
    population: 'verified_unknown',
    description:
      'A bot’s visits reach {n} times the baseline (the fourth-highest hour or second-highest day of the two weeks before), with at least 100 in an hour or 500 in a day.',
    unit: 'times the baseline',
    fires: 'at_least',
    default: 3,
    min: 1.5,
    max: 100,
    isNews: false,
  },
  drop_to_zero: {
    title: 'Stopped visiting',
    population: 'verified_unknown',
    description:
      'A bot that came on nearly every day of the last two weeks, with {n} or more visits on a usual day, has not come for 24 hours.',
    unit: 'visits a day',
    fires: 'at_least',
    default: 10,
    min: 3,
    max: 100_000,
    isNews: false,
  },
  spoof_surge: {
    title: 'Spoofed visits',
    population: 'all',
    description:
      '{n} or more spoofed visits within an hour, and three times the baseline (the fourth-highest hour of the two weeks before).',
    unit: 'visits an hour',
    fires: 'at_least',
    default: 100,
    min: 10,
    max: 1_000_000,
    isNews: false,
  },
  bot_errors: {
    title: 'Errors for AI bots',
    population: 'verified_unknown',
    description:
      '{n}% or more of the answers to AI bots within three hours are errors (status 400 and above), out of at least 40.',
    unit: '% of answers',
    fires: 'at_least',
    default: 25,
    min: 1,
    max: 100,
    isNews: false,
  },
  collector_quiet: {
    title: 'No data received',
    population: 'all',
    description: 'Nothing at all has been received for {n} or more hours, which is unusual for the property.',
    unit: 'hours',
    fires: 'at_least',
    default: 6,
    min: 1,
    max: 72,
    isNews: false,
  },
  forwarding_failing: {
    title: 'Forwarding fails',
    population: null,
    description:
      'A destination needs a configuration fix, five deliveries were lost within 24 hours, one has been waiting for six hours, or less than {n}% of 20 or more were accepted.',
    unit: '% accepted',
    fires: 'below',
    default: 90,
    min: 1,
    max: 100,
    isNews: false,
  },
  ai_referral_first: {
    title: 'First visit from an engine',
    population: 'verified_unknown',
    description: 'An AI engine refers {n} or more visits within a day for the first time.',
    unit: 'visits',
    fires: 'at_least',
    default: 1,
    min: 1,
    max: 10_000,
    isNews: true,
  },
  quota: {
    title: 'Quota',
    population: null,
    description:
      'The property, or its organization, has stored {n}% or more of the visits that the operator allows a day, and again when the quota is reached.',
    unit: '% of the quota',
    fires: 'at_least',
    default: 80,
    min: 10,
    max: 99,
    isNews: false,
  },
};

/** Other than a single one is wanted: a message per rule and subject within so many hours. */
export const REPEAT_HOURS = { default: 24, min: 1, max: 168 } as const;
