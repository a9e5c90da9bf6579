import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SettingsChange, webhooksApi, webhooksQueries } from '../../features/webhooks/api.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

/** Changes the property's settings and says so. @param said what a screen reader hears once it is done */
export function useSettings(propertyId: string, said: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: SettingsChange) => webhooksApi.change(propertyId, change),
    onSuccess: (settings) => {
      queryClient.setQueryData(webhooksQueries.settings(propertyId).queryKey, settings);
      announce(said);
      onDone?.();
    },
  });
}
