import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import {
  type Destination,
  type DestinationChange,
  destinationsApi,
  destinationsQueries,
  type Platform,
} from '../../features/destinations/api.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

/** Changes a destination. @param said announced to screen readers afterwards */
export function useChange(propertyId: string, destinationId: string, said: string) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { queryKey } = destinationsQueries.list(propertyId);
  return useMutation({
    mutationFn: (change: DestinationChange) => destinationsApi.change(propertyId, destinationId, change),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey, (before: readonly Destination[] = []) =>
        before.map((one) => (one.id === changed.id ? changed : one)),
      );
      announce(said);
    },
  });
}

/** The props of each view of a destination. */
export interface DestinationViewProps {
  property: Property;
  platform: Platform;
  destination: Destination;
}
