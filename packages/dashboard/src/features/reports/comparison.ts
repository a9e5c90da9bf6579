/** What changes are compared with, in words, and whether that is possible. */
import { DAY_MS } from '@ghostlight/core/time';
import { createContext } from 'react';
import { rangeLabel } from '../../format/period.ts';
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

/**
 * A period in which collection began would make everything after it look like growth. The service leaves out a day that is not over,
 * and compares nothing when no other day is left.
 * @param isOff the reader chose to compare with nothing
 */
export function comparisonOf(
  {
    period,
    compared_until: until,
    data_since: since,
    not_compared: reason,
  }: Pick<Envelope, 'period' | 'compared_until'> & Partial<Pick<Envelope, 'data_since' | 'not_compared'>>,
  isOff = false,
): Comparison {
  if (isOff) return { than: '', sentence: null, gap: null, isOff };
  const { previous } = period;
  if (previous === null || until === null) {
    const why = 'This period is not over, so it can’t be compared yet.';
    return { than: '', sentence: why, gap: { words: 'not over yet', why }, isOff };
  }
  const than = rangeLabel(previous);
  if (since != null && since > previous.from) {
    const first = rangeLabel({ from: since, to: since });
    const why = `No comparison with ${than}: the first visit was on ${first}, so those days are not known.`;
    return { than, sentence: why, gap: { words: 'no earlier data', why }, isOff };
  }
  if (reason === 'over_quota') {
    const why = `No comparison with ${than}: the quota was reached on one of these days, so it is not known how many visits came.`;
    return { than, sentence: why, gap: { words: 'quota reached', why }, isOff };
  }
  return { than, sentence: sentenceOf(period, until, than), gap: null, isOff };
}

/** `1 – 20 Nov 2026 compared with 1 – 20 Oct 2026; today is not over and is left out.` */
function sentenceOf(
  { from, to }: Pick<Envelope['period'], 'from' | 'to'>,
  until: string,
  than: string,
): string {
  if (until >= to) return `Compared with ${than}.`;
  const isToday = Date.parse(to) - Date.parse(until) === DAY_MS;
  const left = isToday ? 'today is not over and is left out' : 'days that are not over are left out';
  return `${rangeLabel({ from, to: until })} compared with ${than}; ${left}.`;
}
