import { Link } from '@tanstack/react-router';
import { isNarrowed, type VisitChange, type VisitSearch } from '../../../features/visits/search.ts';
import { named, type Period, rangeLabel } from '../../../format/period.ts';
import { dayLabel } from '../../../format/time.ts';
import { visible } from '../../../format/visible.ts';
import { EmptyState } from '../../../parts/states.tsx';
import { CLEARED } from '../filters/VisitFilterBar.tsx';

interface NoVisitsProps {
  propertyId: string;
  search: VisitSearch;
  /** The first day of the property that has a visit; null: none has. */
  since: string | null;
  period: Period;
  onChange: (change: VisitChange) => void;
}

export function NoVisits({ propertyId, search, since, period, onChange }: NoVisitsProps) {
  if (search.after !== undefined || search.before !== undefined)
    return (
      <EmptyState
        title="The list ends before this page"
        action={
          <button
            type="button"
            className="button"
            onClick={() => onChange({ after: undefined, before: undefined })}
          >
            Go to the first page
          </button>
        }
      >
        These visits are no longer kept, or the filters have changed.
      </EmptyState>
    );
  const longer = period.days < 90 && search.since === undefined && search.until === undefined;
  const { path_contains: text, ...others } = search;
  const isSearch = text !== undefined && !isNarrowed(others);
  if (isNarrowed(search))
    return (
      <EmptyState
        title={text === undefined ? 'No visits match these filters' : `No visits match “${visible(text)}”`}
        action={
          <>
            <button type="button" className="button button-primary" onClick={() => onChange(CLEARED)}>
              {isSearch ? 'Clear search' : 'Clear filters'}
            </button>
            {longer && (
              <button type="button" className="button" onClick={() => onChange(named('last_90_days'))}>
                Show last 90 days
              </button>
            )}
          </>
        }
      >
        {isSearch
          ? `Searched the paths of ${rangeLabel(period)}.`
          : 'Remove a filter, or choose another period.'}
      </EmptyState>
    );
  return (
    <EmptyState
      title={since === null ? 'No visits yet' : 'No visits in this period'}
      action={
        since === null ? (
          <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
            Open Setup
          </Link>
        ) : (
          <button type="button" className="button" onClick={() => onChange(named('last_30_days'))}>
            Show last 30 days
          </button>
        )
      }
    >
      {since === null
        ? 'Visits by AI bots, AI referrals and search crawlers appear here. Setup shows how to connect your site.'
        : since > period.to
          ? `Data begins on ${dayLabel(since, true)}.`
          : 'Choose another period.'}
    </EmptyState>
  );
}
