import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { alertsApi, alertsQueries } from '../api.ts';
import type { Channel } from '../types.ts';

interface RemoveChannelDialogProps {
  property: Property;
  channel: Channel;
  onClose: () => void;
}

export function RemoveChannelDialog({ property, channel, onClose }: RemoveChannelDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => alertsApi.removeChannel(property.id, channel.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(alertsQueries.channels(property.id));
      announce(`Removed ${channel.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove “${channel.name}”?`}
      word={channel.name}
      action="Remove channel"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        {channel.everywhere
          ? 'It is told of the alerts of all properties of the organization, and of none any more.'
          : 'It is told of no alert any more.'}{' '}
        What it was told stays in the list.
      </p>
    </ConfirmDialog>
  );
}
