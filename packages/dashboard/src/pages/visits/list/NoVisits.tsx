import { Link } from '@tanstack/react-router';
import { isNarrowed, type VisitChange, type VisitSearch } from '../../../features/visits/search.ts';
import { dayLabel } from '../../../format/time.ts';
import { visible } from '../../../format/visible.ts';
import { EmptyState } from '../../../parts/states.tsx';
import { CLEARED } from '../filters/VisitFilterBar.tsx';

interface NoVisitsProps {
  propertyId: string;
  search: VisitSearch;
  /** The first day of the property that has a visit; null: none has. */
  since: string | null;
  onChange: (change: VisitChange) => void;
}

export function NoVisits({ propertyId, search, since, onChange }: NoVisitsProps) {
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
  if (isNarrowed(search))
    return (
      <EmptyState
        title="No visits match these filters"
        action={
          <button type="button" className="button" onClick={() => onChange(CLEARED)}>
            Clear filters
          </button>
        }
      >
        {search.path_contains === undefined
          ? 'Remove a filter, or choose a longer period.'
          : `No path containing “${visible(search.path_contains)}” was visited in this period. Shorten the text, or choose a longer period.`}
      </EmptyState>
    );
  return (
    <EmptyState
      title={since === null ? 'No visits yet' : 'No visits in this period'}
      action={
        since === null ? (
          <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
            Open Set-up
          </Link>
        ) : undefined
      }
    >
      {since === null
        ? 'Visits by AI bots, AI referrals and search crawlers appear here. Set-up shows how to connect your site.'
        : `This property’s first visit was on ${dayLabel(since, true)}. Choose another period.`}
    </EmptyState>
  );
}
