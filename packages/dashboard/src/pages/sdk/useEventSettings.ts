import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { sdkApi, sdkQueries } from './api.ts';
import type { EventSettings } from './types.ts';

/** Changes where a property's events may come from. */
export function useEventSettings(propertyId: string) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: Partial<EventSettings>) => sdkApi.changeSettings(propertyId, change),
    onSuccess: async (settings) => {
      queryClient.setQueryData(sdkQueries.settings(propertyId).queryKey, settings);
      // What is foreign has changed with it.
      await queryClient.invalidateQueries(sdkQueries.status(propertyId));
      announce('Origins saved');
    },
  });
}
