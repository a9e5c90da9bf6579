/** What changes are measured against, and whether that can be done. */
import { createContext } from 'react';
import { rangeLabel } from '../../format/period.ts';
import type { Envelope } from './api.ts';
import { previousName } from './search.ts';

export interface Comparison {
  /** `the 30 days before`. */
  readonly than: string;
  /** Why nothing is compared, in some words and in a sentence; null: it is. */
  readonly gap: { readonly words: string; readonly why: string } | null;
}

/** Of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({ than: 'the days before', gap: null });

/**
 * A period that was still dark for a while would make everything after it look like growth. The service leaves out a day that is not over,
 * and compares nothing where no other is left.
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
        why: `These days are not over: they can’t be compared with ${whole} yet.`,
      },
    };
  const than = until < period.to ? `${whole}, today left out on both sides` : whole;
  if (since != null && since > period.previous.from.slice(0, 10)) {
    const first = rangeLabel({ from: since, to: since });
    const why = `No earlier data to compare with: the first visit is of ${first}, so ${whole} are not whole.`;
    return { than, gap: { words: 'no earlier data', why } };
  }
  return { than, gap: null };
}
