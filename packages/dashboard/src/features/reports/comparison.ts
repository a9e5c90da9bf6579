/** What changes are compared with, and whether that is possible. */
import { createContext } from 'react';
import { rangeLabel } from '../../format/period.ts';
import type { Envelope } from './api.ts';
import { previousName } from './search.ts';

export interface Comparison {
  /** `the 30 days before`. */
  readonly than: string;
  /** Why there is no comparison, as a phrase and as a sentence; null: there is one. */
  readonly gap: { readonly words: string; readonly why: string } | null;
}

/** The comparison of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({ than: 'the previous days', gap: null });

/**
 * A period in which collection began would make everything after it look like growth. The service leaves out a day that is not over,
 * and compares nothing when no other day is left.
 */
export function comparisonOf({
  period,
  compared_until: until,
  data_since: since,
}: Pick<Envelope, 'period' | 'compared_until'> & Partial<Pick<Envelope, 'data_since'>>): Comparison {
  const whole = previousName(period);
  if (period.previous === null || until === null)
    return {
      than: whole,
      gap: {
        words: 'not over yet',
        why: `This period is not over, so it can’t be compared with ${whole} yet.`,
      },
    };
  const than = until < period.to ? `${whole}, excluding today` : whole;
  if (since != null && since > period.previous.from.slice(0, 10)) {
    const first = rangeLabel({ from: since, to: since });
    const why = `No comparison: the first visit was on ${first}, so ${whole} are incomplete.`;
    return { than, gap: { words: 'no earlier data', why } };
  }
  return { than, gap: null };
}
