import type { Period } from '../../format/period.ts';
import { briefly, type Comparison, periodSentence } from './comparison.ts';

interface PeriodLineProps {
  period: Period;
  /** null: not known yet, or nothing is compared. */
  comparison: Comparison | null;
}

/** The days of a page and what they are compared with. A phone shows the short form; screen readers always get the sentence. */
export function PeriodLine({ period, comparison }: PeriodLineProps) {
  const sentence = periodSentence(period, comparison);
  return (
    <p className="period-line quiet">
      <span className="period-sentence">{sentence}</span>
      <span className="period-brief" aria-hidden="true" title={sentence}>
        {[periodSentence(period, null), ...(comparison === null ? [] : briefly(comparison))].join(' · ')}
      </span>
    </p>
  );
}
