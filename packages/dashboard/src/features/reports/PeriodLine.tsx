import { useState } from 'react';
import { type Period, rangeLabel } from '../../format/period.ts';
import { IconInfo } from '../../parts/icons.tsx';
import { briefly, type Comparison, periodSentence } from './comparison.ts';

interface PeriodLineProps {
  period: Period;
  /** null: not known yet, or nothing is compared. */
  comparison: Comparison | null;
}

/** What the colours of changes mean, in every report. */
const COLOURS =
  'Changes are green for more referrals or conversions, red for more failures or spoofed visits, and grey otherwise.';

/**
 * The days of a page and what they are compared with, in short. A button gives the sentence, with the days that are left out, and why;
 * screen readers always get it.
 */
export function PeriodLine({ period, comparison }: PeriodLineProps) {
  const [isOpen, setOpen] = useState(false);
  const sentence = periodSentence(period, comparison);
  const said = comparison === null ? [] : briefly(comparison);
  // That full days are compared says that the period is not over.
  const days = comparison?.without ? rangeLabel(period) : periodSentence(period, null);
  const brief = [days, ...said];
  const hasMore = brief.length > 1;
  const isBrief = hasMore && !isOpen;
  return (
    <p className="period-line quiet">
      <span className={isBrief ? 'visually-hidden' : undefined}>{sentence}</span>
      {isOpen && comparison?.gap === null && <span> {COLOURS}</span>}
      {isBrief && (
        <span aria-hidden="true" title={sentence}>
          {brief.join(' · ')}
        </span>
      )}
      {hasMore && (
        <button
          type="button"
          className="period-why"
          aria-label="About this comparison"
          aria-expanded={isOpen}
          title={sentence}
          onClick={() => setOpen(!isOpen)}
        >
          <IconInfo />
        </button>
      )}
    </p>
  );
}
