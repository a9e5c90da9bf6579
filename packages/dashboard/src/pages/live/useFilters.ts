import { useNavigate, useSearch } from '@tanstack/react-router';
import type { LiveFilters } from './search.ts';

/** The filters of the address, and how to change one. An undefined value takes it out. */
export function useFilters(): [
  LiveFilters,
  (change: { [K in keyof LiveFilters]?: LiveFilters[K] | undefined }) => void,
] {
  const filters = useSearch({ from: '/signed-in/p/$propertyId/live' });
  const navigate = useNavigate();
  return [
    filters,
    (change) => {
      const kept = Object.entries({ ...filters, ...change }).filter(
        ([, value]) => value !== undefined && value !== '',
      );
      void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
    },
  ];
}
