import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { webmcpApi, webmcpQueries } from '../api.ts';
import type { WebmcpState } from '../types.ts';

interface RotateKeysDialogProps {
  property: Property;
  onState: (state: WebmcpState) => void;
  onClose: () => void;
}

export function RotateKeysDialog({ property, onState, onClose }: RotateKeysDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webmcpApi.rotate(property.id),
    onSuccess: (state) => {
      onState(state);
      void queryClient.invalidateQueries({ queryKey: webmcpQueries.versionsKey(property.id) });
      void queryClient.invalidateQueries(webmcpQueries.status(property.id));
      announce('Keys rotated');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Rotate keys?"
      word="rotate"
      action="Rotate keys"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>
          <strong>Every cached copy, anywhere, stops verifying at once</strong>: on your edges, and with
          agents that fetched it before.
        </li>
        <li>
          The same tools are signed with a new key. Edges hold the new document within about two minutes.
        </li>
        <li>Until then agents that check refuse the old copy and may skip your tools.</li>
        <li>The old key is destroyed. This can’t be undone.</li>
      </ul>
    </ConfirmDialog>
  );
}
