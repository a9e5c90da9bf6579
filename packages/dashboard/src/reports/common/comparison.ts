/** What changes are measured against, and whether that can be done. */
import { createContext } from 'react';
import { rangeLabel } from '../../format/period.ts';
import { previousName } from './search.ts';
import type { Envelope } from './types.ts';

export interface Comparison {
  /** `the 30 days before`. */
  readonly than: string;
  /** Why nothing is compared; null: it is. */
  readonly gap: string | null;
}

/** Of the report that a page shows. */
export const ComparisonContext = createContext<Comparison>({ than: 'the days before', gap: null });

/** A period that was still dark for a while would make everything after it look like growth. */
export function comparisonOf({
  period,
  data_since: since,
}: Pick<Envelope, 'period' | 'data_since'>): Comparison {
  const than = previousName(period);
  const isWhole = since == null || period.previous === null || since <= period.previous.from.slice(0, 10);
  return {
    than,
    gap: isWhole
      ? null
      : `No earlier data to compare with: the first visit is of ${rangeLabel({ from: since, to: since })}, so ${than} are not whole.`,
  };
}
