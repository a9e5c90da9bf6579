import { shareText } from '../../../features/reports/figures.ts';
import type { VisitChange, VisitSearch } from '../../../features/visits/search.ts';
import { counted } from '../../../format/names.ts';
import { dayLabel } from '../../../format/time.ts';
import { NOT_SPOOFED } from '../filters/definitions.ts';
import type { VisitCounts } from '../Histogram.tsx';

interface CountNoteProps {
  counts: VisitCounts;
  /** Without the filters; null: there are none, or it is not known. */
  all: number | null;
  search: VisitSearch;
  /** The page says that there are none. */
  isEmpty: boolean;
  onChange: (change: VisitChange) => void;
}

/** How many visits there are, and why a report may say another number. */
export function CountNote({
  counts: { totals, kept_since: kept, data_since: first, period },
  all,
  search,
  isEmpty,
  onChange,
}: CountNoteProps) {
  const { hits, samples, weight, spoofed } = totals;
  const isOfReports =
    search.verdict !== undefined || search.class === 'ai_referral' || search.class === 'sample';
  return (
    <div className="count-note">
      <p className={isEmpty ? 'visually-hidden' : 'number'} role="status">
        {all === null || hits === 0 ? (
          <strong>{counted(hits, 'visit')}</strong>
        ) : (
          <>
            <strong>{hits.toLocaleString('en')}</strong>{' '}
            <span className="quiet">
              of {counted(all, 'visit')} ({shareText(hits / all)})
            </span>
          </>
        )}
      </p>
      {samples > 0 && (
        <p className="quiet">
          {samples.toLocaleString('en')} of these{' '}
          {samples === 1 ? 'is a sample, which represents' : 'are samples, each of which represents'} several
          visits. With samples weighted, the total is ≈&nbsp;{counted(Math.round(weight), 'visit')}.
        </p>
      )}
      {spoofed > 0 && !isOfReports && (
        <p className="quiet">
          Includes {counted(spoofed, 'spoofed visit')} ·{' '}
          <button
            type="button"
            className="link-button"
            title="Reports leave them out by default"
            onClick={() => onChange({ verdict: NOT_SPOOFED })}
          >
            Hide spoofed
          </button>
        </p>
      )}
      {first !== null && first > period.from && first > kept && (
        <p className="quiet">Data begins on {dayLabel(first, true)}.</p>
      )}
      {first !== null && kept > period.from && kept >= first && (
        <p className="quiet">
          Individual visits before {dayLabel(kept, true)} are no longer kept; reports still show daily figures
          for those days.
        </p>
      )}
    </div>
  );
}
