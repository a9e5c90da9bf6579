/** What changes are measured against, and whether that can be done. */
import { createContext } from 'react';
import { rangeLabel } from '../../format/period.ts';
import { previousName } from './search.ts';
import type { Envelope } from './types.ts';

export interface Comparison {
  /** `the 30 days before`. */
  readonly than: string;
  /** Why nothing is compared, in some words and in a sentence; null: it is. */
  readonly gap: { readonly words: string; readonly why: string } | null;
}

/** Of fewer days an unfinished one is so large a part that every morning would look like a fall. */
const DAYS_WITH_TODAY = 7;

/** Of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({ than: 'the days before', gap: null });

/**
 * A period that was still dark for a while would make everything after it look like growth, and one that has hardly begun like a fall.
 * @param today `YYYY-MM-DD`, in the property's time zone
 */
export function comparisonOf(
  { period, data_since: since }: Pick<Envelope, 'period' | 'data_since'>,
  today: string,
): Comparison {
  const than = previousName(period);
  if (period.previous === null) return { than, gap: null };
  if (since != null && since > period.previous.from.slice(0, 10)) {
    const first = rangeLabel({ from: since, to: since });
    const why = `No earlier data to compare with: the first visit is of ${first}, so ${than} are not whole.`;
    return { than, gap: { words: 'no earlier data', why } };
  }
  if (period.to.slice(0, 10) >= today && period.days < DAYS_WITH_TODAY)
    return {
      than,
      gap: { words: 'not over yet', why: `Today is not over: it can’t be compared with ${than} yet.` },
    };
  return { than, gap: null };
}
