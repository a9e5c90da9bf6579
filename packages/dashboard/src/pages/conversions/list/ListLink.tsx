import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProperty } from '../../../features/property/useProperty.ts';
import { behindCount, LIST_ID, type SearchChange, useSearchFilters } from '../search.ts';

interface ListLinkProps {
  /** Filters on top of those of the page. */
  narrow?: SearchChange;
  /** Whether the figure is of an attribution model: the list knows the last click alone. */
  isCredit?: boolean;
  children: ReactNode;
}

/** A number of conversions, as a link to the list of them at the end of the page. */
export function ListLink({ narrow = {}, isCredit = false, children }: ListLinkProps) {
  const property = useProperty();
  const [search] = useSearchFilters();
  const behind = behindCount(search, narrow, isCredit);
  if (property === null || behind === null) return children;
  return (
    <Link
      to="/p/$propertyId/conversions"
      params={{ propertyId: property.id }}
      search={behind}
      hash={LIST_ID}
      className="figure-link"
      title="Show these conversions"
    >
      {children}
    </Link>
  );
}
