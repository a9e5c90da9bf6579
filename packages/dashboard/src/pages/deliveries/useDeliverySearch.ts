import { useNavigate, useSearch } from '@tanstack/react-router';
import { compact } from '../../format/search.ts';
import type { DeliveryChange, DeliverySearch } from './search.ts';

/** The filters of the address, and how to change some. An undefined value takes one out. */
export function useDeliverySearch(): [DeliverySearch, (change: DeliveryChange) => void] {
  const search = useSearch({ from: '/signed-in/p/$propertyId/deliveries' });
  const navigate = useNavigate({ from: '/p/$propertyId/deliveries' });
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: compact<DeliverySearch>({ ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
