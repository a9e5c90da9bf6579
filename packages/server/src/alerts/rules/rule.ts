/** What a rule looks at, and what it may say. */

import { count, counted } from '../../common/index.ts';
import { BASELINE_DAYS, type Baseline } from '../baseline.ts';
import type { Unit } from '../kinds.ts';
import type { Recent } from '../recent.ts';

/** A forwarding destination, as far as the rules need it. */
export interface WatchedDestination {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  /** What it needs, in a sentence; null: nothing to fix. */
  readonly alarm: string | null;
  /** Of 24 hours. */
  readonly delivered: number;
  readonly dead: number;
  readonly unknown: number;
  /** Epoch ms; null: nothing waits. */
  readonly oldestWaitingAt: number | null;
}

/** Everything at one moment; rules only read it. */
export interface Snapshot {
  /** In which times are displayed. */
  readonly timeZone: string;
  /** Epoch ms. */
  readonly now: number;
  readonly usual: Baseline;
  readonly recent: Recent;
  /** Bots and engines that are known not to be new. */
  readonly known: { readonly bots: ReadonlySet<string>; readonly engines: ReadonlySet<string> };
  /** Since when looks have followed each other without a hole; epoch ms. */
  readonly watchingSince: number;
  readonly destinations: readonly WatchedDestination[];
  /** What is stored of the day's quota; null or absent: there is none. */
  readonly quota?: { readonly used: number; readonly limit: number; readonly of: string } | null;
  /** Until when all visits are or were dropped over the quota, as long as that is remembered; epoch ms; absent: they never were. */
  readonly closedUntil?: number;
}

export interface Finding {
  /** One alert at a time for each; empty: the property as a whole. */
  readonly subject: string;
  /** At most some words. */
  readonly title: string;
  readonly text: string;
  readonly now: number;
  readonly usual: number | null;
  readonly unit: Unit;
  /** Path in the dashboard below the property, without days: `alertLink` adds them. */
  readonly link: string;
}

export interface OpenAlert {
  readonly subject: string;
  /** Epoch ms. */
  readonly at: number;
}

/** `silently`: no message is sent; what happened instead of an end may be added to the alert's text. */
export type Over = 'no' | 'yes' | 'silently' | { readonly silently: string };

export interface Verdict {
  readonly findings: readonly Finding[];
  /** Asked for what is open and not found again. It is over later than it began: at the threshold itself nothing flickers. */
  isOver(open: OpenAlert): Over;
}

/** @param threshold in the unit of the kind's facts */
export type Rule = (snapshot: Snapshot, threshold: number) => Verdict;

/** A share of the threshold under which it is over. */
export const RELEASE = 0.8;

/** Fewer days say nothing of what is usual. */
const MIN_WHOLE_DAYS = 5;

/** Days enough on which no visits were dropped over the quota, for there to be anything usual. */
export const hasUsual = ({ wholeDays }: Baseline): boolean => wholeDays >= MIN_WHOLE_DAYS;

/** `the 14 days before`, or those of them of which all was stored. */
export const daysBefore = ({ wholeDays }: Baseline): string =>
  wholeDays === BASELINE_DAYS
    ? `the ${BASELINE_DAYS} days before`
    : `the ${wholeDays} of ${BASELINE_DAYS} days before on which no visits were dropped over the quota`;

/** `Usually up to 5.`, after a sentence with a number: the baseline, and how it differs where part of the two weeks is missing. */
export const usually = (value: number, { wholeDays }: Baseline, what: 'hours' | 'days'): string => {
  const most = value === 0 ? 'none' : `up to ${count(value)}`;
  return wholeDays === BASELINE_DAYS
    ? `Usually ${most}.`
    : `Usually ${most}, not counting ${what} in which visits were dropped over the quota.`;
};

export const visits = (value: number): string => counted(value, ['visit', 'visits']);

/** A report with its filters. */
export const report = (page: string, filter: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(filter).toString();
  return query === '' ? `/${page}` : `/${page}?${query}`;
};
