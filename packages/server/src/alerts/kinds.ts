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
  /** For people: when it fires, in one short sentence. `{n}` stands for the threshold. */
  readonly description: string;
  /** For people who choose a threshold: what is compared, and what has to be true besides. */
  readonly details: string;
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
    description: 'A new bot makes {n} or more visits within a day.',
    details: 'Spoofed visits don’t count. Bots seen on a property’s first day don’t count as new.',
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
    description: 'A bot visits {n} times as often as usual, in one hour or in 24 hours.',
    details:
      'Usual is the baseline: the bot’s fourth-highest hour, or second-highest day, of the two weeks before. An alert takes at least 100 visits in one hour or 500 in 24 hours.',
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
    description: 'A bot that usually makes {n} or more visits a day hasn’t visited for 24 hours.',
    details:
      'Usual is the median day of the last two weeks, on at least 12 of which the bot visited. There is no alert while nothing is received from any visitor.',
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
    description: '{n} or more spoofed visits arrive in one hour.',
    details:
      'They must also be at least three times the baseline: the fourth-highest hour of the two weeks before.',
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
    description: '{n}% or more of responses to AI bots within three hours are errors.',
    details:
      'An error is a response with a status of 400 or above. An alert takes at least 40 responses within three hours.',
    unit: '% of responses',
    fires: 'at_least',
    default: 25,
    min: 1,
    max: 100,
    isNews: false,
  },
  collector_quiet: {
    title: 'No data received',
    population: 'all',
    description: 'No data is received for {n} or more hours.',
    details:
      'Only where that is unusual: visits were received on at least 10 of the 14 days before, and at most one gap lasted that long.',
    unit: 'hours',
    fires: 'at_least',
    default: 6,
    min: 1,
    max: 72,
    isNews: false,
  },
  forwarding_failing: {
    title: 'Forwarding failures',
    population: null,
    description: 'A destination accepts fewer than {n}% of deliveries within 24 hours, or needs a fix.',
    details:
      'The share is of 24 hours, out of at least 20 deliveries. There is also an alert when a destination needs a configuration fix, five deliveries within 24 hours failed or had an unknown outcome, or one has been waiting for six hours.',
    unit: '% accepted',
    fires: 'below',
    default: 90,
    min: 1,
    max: 100,
    isNews: false,
  },
  ai_referral_first: {
    title: 'First referral',
    population: 'verified_unknown',
    description: 'A new AI engine sends {n} or more referrals within a day.',
    details: 'Engines that referred someone on a property’s first day don’t count as new.',
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
    description: '{n}% or more of the daily quota is used.',
    details:
      'The quota is how many visits the operator lets the property or its organization store per day. A second alert follows when it is reached.',
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
