import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { webmcpApi, webmcpQueries } from '../api.ts';
import type { WebmcpState } from '../types.ts';

interface UnpublishDialogProps {
  property: Property;
  onState: (state: WebmcpState) => void;
  onClose: () => void;
}

export function UnpublishDialog({ property, onState, onClose }: UnpublishDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await webmcpApi.unpublish(property.id);
      return await webmcpApi.state(property.id);
    },
    onSuccess: (state) => {
      onState(state);
      void queryClient.invalidateQueries({ queryKey: webmcpQueries.versionsKey(property.id) });
      announce('Unpublished');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Unpublish?"
      word={property.domain}
      action="Unpublish"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        This service stops offering the document, and edges drop their copy the next time they ask: within
        about two minutes. After that the address leads to your own site again. Copies that agents hold stay
        valid until they expire, a day at most; Rotate keys first to end them at once.
      </p>
      <p>Versions stay in the history and can be restored.</p>
    </ConfirmDialog>
  );
}
