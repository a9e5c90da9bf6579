import type { VisitChange, VisitSearch } from '../../../features/visits/search.ts';
import { counted } from '../../../format/names.ts';
import { dayLabel } from '../../../format/time.ts';
import type { VisitCounts } from '../Histogram.tsx';

interface CountNoteProps {
  counts: VisitCounts;
  search: VisitSearch;
  onChange: (change: VisitChange) => void;
}

/** How many visits there are, and why a report may say another number. */
export function CountNote({
  counts: { totals, kept_since: kept, period },
  search,
  onChange,
}: CountNoteProps) {
  const { hits, samples, weight, spoofed } = totals;
  const isOfReports =
    search.verdict !== undefined || search.class === 'ai_referral' || search.class === 'sample';
  return (
    <div className="count-note">
      <p className="number" role="status">
        <strong>{counted(hits, 'visit')}</strong>
      </p>
      {samples > 0 && (
        <p className="quiet">
          They stand for ≈&nbsp;{counted(Math.round(weight), 'visit')}: {samples.toLocaleString('en')} of
          these {samples === 1 ? 'is a sample that stands' : 'are samples, each of which stands'} for several.
        </p>
      )}
      {spoofed > 0 && !isOfReports && (
        <p className="quiet">
          Includes {counted(spoofed, 'spoofed visit')}, which reports leave out by default.{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => onChange({ verdict: 'verified,unknown', class: 'ai_bot' })}
          >
            Show only visits that reports count
          </button>
        </p>
      )}
      {kept > period.from && (
        <p className="quiet">
          Single visits before {dayLabel(kept, true)} are no longer kept; reports still show daily figures for
          those days.
        </p>
      )}
    </div>
  );
}
