/** What changes are compared with, in words, and whether that is possible. */
import { DAY_MS } from '@ghostlight/core/time';
import { createContext } from 'react';
import { type Period as ChosenPeriod, rangeLabel } from '../../format/period.ts';
import type { Envelope } from './api.ts';

export interface Comparison {
  /** `1 – 21 Oct 2026`. */
  readonly than: string;
  /** Below the period, for readers: which days are compared with which. null: nothing is said. */
  readonly sentence: string | null;
  /** Why there is no comparison, as a phrase and as a sentence; null: there is one. */
  readonly gap: { readonly words: string; readonly why: string } | null;
  /** The reader chose none. */
  readonly isOff: boolean;
}

/** The comparison of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({
  than: 'the previous days',
  sentence: null,
  gap: null,
  isOff: false,
});

type Period = Pick<Envelope['period'], 'from' | 'to' | 'previous'>;

interface Compared {
  readonly period: Period;
  readonly compared_until: string | null;
  readonly data_since?: string | null;
  /** Retention has deleted what is older. */
  readonly kept_since?: string;
  /** `cut` says it of conversions alone. */
  readonly not_compared?: Envelope['not_compared'] | 'cut';
}

/**
 * A period in which collection began would make everything after it look like growth. The service leaves out a day that is not over,
 * and compares nothing when no other day is left.
 * @param isOff the reader chose to compare with nothing
 * @param what is counted
 */
export function comparisonOf(
  { period, compared_until: until, data_since: since, kept_since: kept, not_compared: reason }: Compared,
  isOff = false,
  what: 'visit' | 'conversion' = 'visit',
): Comparison {
  if (isOff) return { than: '', sentence: null, gap: null, isOff };
  const { previous } = period;
  if (previous === null || until === null) {
    const why = 'This period is not over, so its changes are not shown yet.';
    return { than: '', sentence: why, gap: { words: 'not over yet', why }, isOff };
  }
  const than = rangeLabel(previous);
  if (since != null && since > previous.from) {
    const first = rangeLabel({ from: since, to: since });
    const cause =
      since === kept
        ? `${what}s from before ${first} are no longer kept`
        : `the first ${what} was on ${first}`;
    const why = `No comparison with ${than}: ${cause}, so those days are not known.`;
    return { than, sentence: why, gap: { words: 'no earlier data', why }, isOff };
  }
  if (reason === 'over_quota') {
    const why = `No comparison with ${than}: the quota was reached on one of these days, so it is not known how many visits came.`;
    return { than, sentence: why, gap: { words: 'quota reached', why }, isOff };
  }
  if (reason === 'cut') {
    const why = `No comparison with ${than}: there are more conversions than are counted.`;
    return { than, sentence: why, gap: { words: 'too many', why }, isOff };
  }
  return { than, sentence: sentenceOf(period, until, than), gap: null, isOff };
}

/** The days of a page, and which days they are compared with. @param comparison null: not known yet, or nothing is compared */
export function periodSentence(period: ChosenPeriod, comparison: Comparison | null): string {
  const days = `${rangeLabel(period)}${period.isRunning ? ', so far' : ''}`;
  return comparison?.sentence == null ? days : `${days}. ${comparison.sentence}`;
}

/** The sentence of a comparison, for a narrow line: `vs 1 – 20 Oct 2026`. Empty: nothing is said. */
export function briefly({ sentence, than, gap }: Comparison): string[] {
  if (sentence === null) return [];
  return [gap === null ? `vs ${than}` : `no comparison: ${gap.words}`];
}

/** `1 – 20 Nov 2026 compared with 1 – 20 Oct 2026; today is not over and is left out.` */
function sentenceOf({ from, to, previous }: Period, until: string, than: string): string {
  if (until >= to) return `Compared with ${than}.`;
  const isOne = Date.parse(to) - Date.parse(until) === DAY_MS;
  const left = rangeLabel({ from: dayAfter(until), to });
  // Days up to the period itself: there are no more, as of February for the last days of March.
  const isShort = previous !== null && dayAfter(previous.to) === from;
  const why = isShort
    ? `${left} ${isOne ? 'has no earlier day to compare with and is' : 'have no earlier days to compare with and are'} left out`
    : isOne
      ? 'today is not over and is left out'
      : 'days that are not over are left out';
  return `${rangeLabel({ from, to: until })} compared with ${than}; ${why}.`;
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
