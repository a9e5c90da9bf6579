import { useNavigate, useSearch } from '@tanstack/react-router';
import { compact } from '../../format/search.ts';
import type { ConversionSearch, SearchChange } from './search.ts';

/** The filters of the address, and how to change some. An undefined value takes one out. */
export function useSearchFilters(): [ConversionSearch, (change: SearchChange) => void] {
  const search = useSearch({ from: '/signed-in/p/$propertyId/conversions' });
  const navigate = useNavigate({ from: '/p/$propertyId/conversions' });
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: compact<ConversionSearch>({ ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
