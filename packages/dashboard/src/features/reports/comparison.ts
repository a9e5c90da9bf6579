/** What changes are compared with, in words, and whether that is possible. */
import { DAY_MS } from '@ghostlight/core/time';
import { createContext, useContext } from 'react';
import { counted } from '../../format/names.ts';
import { type Period as ChosenPeriod, rangeLabel } from '../../format/period.ts';
import type { Envelope } from './api.ts';

export interface Comparison {
  /** `1 – 21 Oct 2026`. */
  readonly than: string;
  /** Below the period, for readers: which days are compared with which. null: nothing is said. */
  readonly sentence: string | null;
  /** What of the period the changes leave out: `today`; empty: nothing. */
  readonly without: string;
  /** So many days of the period are compared, where it leaves some out. */
  readonly days?: number;
  /** Why there is no comparison: beside a figure, in the line of the period, and as a sentence; null: there is one. */
  readonly gap: { readonly words: string; readonly brief: string; readonly why: string } | null;
  /** `22 Nov 2026 by 20:00`: what the hours of a day that is not over are compared with, where a figure has hours. */
  readonly hoursThan?: string;
  /** The reader chose none. */
  readonly isOff: boolean;
}

/** The comparison of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({
  than: 'the previous period',
  sentence: null,
  without: '',
  gap: null,
  isOff: false,
});

/** Whether rows have a change: without a comparison, its column would be empty. */
export function useIsCompared(): boolean {
  const { gap, isOff } = useContext(ComparisonContext);
  return gap === null && !isOff;
}

type Period = Pick<Envelope['period'], 'from' | 'to' | 'previous'>;

interface Compared {
  readonly period: Period;
  readonly compared_until: string | null;
  readonly data_since?: string | null;
  /** Retention has deleted what is older: conversions, and figures of visits. */
  readonly kept_since?: string;
  readonly figures_kept_since?: string;
  /** `cut` says it of conversions alone. */
  readonly not_compared?: Envelope['not_compared'] | 'cut';
}

/**
 * What the service says of a comparison, in words. It leaves out a day that is not over, compares nothing when no other day is left, and
 * nothing with the day on which collection began: everything after it would look like growth.
 * @param isOff the reader chose to compare with nothing @param what is counted
 */
export function comparisonOf(
  { period, compared_until: until, not_compared: reason, ...data }: Compared,
  isOff = false,
  what: 'visit' | 'conversion' = 'visit',
): Comparison {
  const { previous } = period;
  const made = {
    than: previous === null ? '' : rangeLabel(previous),
    sentence: null,
    without: '',
    gap: null,
  };
  if (isOff) return { ...made, than: '', isOff };
  const none = (words: string, why: string, brief = `no comparison: ${words}`): Comparison => ({
    ...made,
    ...{ sentence: why, gap: { words, brief, why }, isOff },
  });
  const { than } = made;
  if (reason === 'no_earlier_data' || (reason === 'not_over' && beganJustBefore(period, data)))
    return none(
      'no earlier data',
      `No comparison${than === '' ? '' : ` with ${than}`}: ${beginning(data, what)}.`,
    );
  if (reason === 'over_quota')
    return none(
      'quota reached',
      `No comparison${than === '' ? '' : ` with ${than}`}: the quota was reached on one of these days, so the number of visits is unknown.`,
    );
  if (previous === null || until === null)
    return none(SO_FAR, 'Today is still in progress. It’s compared once it ends.', 'compared once it ends');
  if (reason === 'cut')
    return none('too many', `No comparison with ${than}: there are too many conversions to count them all.`);
  const left = leftOut(period, until);
  return {
    ...made,
    sentence: sentenceOf(period, until, than, left),
    without: left?.short ?? '',
    isOff,
    days: daysIn(period.from, until),
  };
}

type Data = Pick<Compared, 'data_since' | 'kept_since' | 'figures_kept_since'>;

/** Whether no whole day is known before the period. */
const beganJustBefore = ({ from }: Period, { data_since: since }: Data): boolean =>
  since === null || (since !== undefined && dayAfter(since) >= from);

/** Why days before are not known. */
function beginning({ data_since: since, kept_since, figures_kept_since }: Data, what: string): string {
  const kept = kept_since ?? figures_kept_since;
  if (since == null) return `no ${what} has arrived yet`;
  const named = (day: string) => rangeLabel({ from: day, to: day });
  return kept !== undefined && kept >= since
    ? `${what}s before ${named(kept)} are no longer kept`
    : `the first ${what} was on ${named(since)}, so there is no complete data to compare with`;
}

/** Of a figure of today alone. */
export const SO_FAR = 'so far';

/**
 * Of today alone: figures with hours are compared by those that are over, and the page says with which.
 * @param than `22 Nov 2026 by 20:00`; null: no hour is compared
 */
export function byTheHour(whole: Comparison, than: string | null): Comparison {
  if (whole.gap?.words !== SO_FAR || than === null) return whole;
  const sentence = `Today is still in progress. Its completed hours are compared with ${than}; other figures, once it ends.`;
  return { ...whole, sentence, hoursThan: than };
}

/** The days of a page, and which days they are compared with. @param comparison null: not known yet, or nothing is compared */
export function periodSentence(period: ChosenPeriod, comparison: Comparison | null): string {
  const days = `${rangeLabel(period)}${period.isRunning ? ', so far' : ''}`;
  return comparison?.sentence == null ? days : `${days}. ${comparison.sentence}`;
}

/** The sentence of a comparison, for a narrow line: `20 full days vs 1 – 20 Oct 2026`. Empty: nothing is said. */
export function briefly({ sentence, than, gap, without, days, hoursThan }: Comparison): string[] {
  if (sentence === null) return [];
  if (hoursThan !== undefined) return [`vs ${hoursThan}`];
  const isPart = without !== '' && days !== undefined;
  return [gap?.brief ?? `${isPart ? `${counted(days, 'full day')} ` : ''}vs ${than}`];
}

/** `, excluding today`; empty where nothing is left out. */
export const withoutText = ({ without }: Pick<Comparison, 'without'>): string =>
  without === '' ? '' : `, excluding ${without}`;

interface LeftOut {
  /** `today`. */
  readonly short: string;
  /** `today is still in progress and is excluded`. */
  readonly why: string;
}

/** The days of the period that have no counterpart; null: all have. */
function leftOut({ from, to, previous }: Period, until: string): LeftOut | null {
  if (until >= to) return null;
  const isOne = Date.parse(to) - Date.parse(until) === DAY_MS;
  const days = rangeLabel({ from: dayAfter(until), to });
  // Days up to the period itself: there are no more, as of February for the last days of March.
  if (previous !== null && dayAfter(previous.to) === from) {
    const have = isOne ? 'has no matching earlier day' : 'have no matching earlier days';
    return { short: days, why: `${days} ${have} and ${isOne ? 'is' : 'are'} excluded` };
  }
  return isOne
    ? { short: 'today', why: 'today is still in progress and is excluded' }
    : { short: 'unfinished days', why: 'days still in progress are excluded' };
}

/** `1 – 20 Nov 2026 compared with 1 – 20 Oct 2026; today is still in progress and is excluded.` */
const sentenceOf = ({ from }: Period, until: string, than: string, left: LeftOut | null): string =>
  left === null
    ? `Compared with ${than}.`
    : `${rangeLabel({ from, to: until })} compared with ${than}; ${left.why}.`;

const daysIn = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
