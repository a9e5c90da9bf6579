import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { alertsApi, alertsQueries } from '../api.ts';
import type { Channel, ChannelChange, MadeChannel } from '../types.ts';

/** Changes a channel and says so. */
export function useChannel(propertyId: string, channel: Channel, onDone?: (made: MadeChannel) => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (change: ChannelChange) => alertsApi.changeChannel(propertyId, channel.id, change),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries(alertsQueries.channels(propertyId));
      announce(`${made.name} saved`);
      onDone?.(made);
    },
  });
}
