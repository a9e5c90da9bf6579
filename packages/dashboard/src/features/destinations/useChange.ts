import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { type Destination, type DestinationChange, destinationsApi, destinationsQueries } from './api.ts';

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
