import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProperty } from '../property/useProperty.ts';
import { useReportSearch } from '../reports/useReportSearch.ts';
import { useShared } from '../session/shared.ts';
import { type VisitChange, visitsBehind } from './search.ts';

interface VisitsLinkProps {
  /** Filters on top of those of the report; an undefined value removes one. */
  narrow?: VisitChange;
  /** Which visits, for readers who hear the figure alone: `that failed`. */
  of?: string | undefined;
  children: ReactNode;
}

/** A figure of a report, as a link to the visits that it counts. */
export function VisitsLink({ narrow = {}, of, children }: VisitsLinkProps) {
  const property = useProperty();
  const { search } = useReportSearch();
  const shared = useShared();
  // A share link shows figures, and no single visits.
  if (shared !== null || property === null) return children;
  return (
    <Link
      to="/p/$propertyId/visits"
      params={{ propertyId: property.id }}
      search={visitsBehind(search, narrow)}
      className="figure-link"
      title={of === undefined ? 'Show these visits' : `Show the visits ${of}`}
    >
      {children}
    </Link>
  );
}
