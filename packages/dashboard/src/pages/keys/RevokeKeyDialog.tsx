import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { IngestKey } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function RevokeKeyDialog({ ingestKey, onClose }: { ingestKey: IngestKey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.revokeKey(ingestKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.keys());
      announce(`Revoked ${ingestKey.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${ingestKey.name}”?`}
      word={ingestKey.name}
      action="Revoke key"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Whatever uses <code>{ingestKey.prefix}…</code> is answered 401 within seconds, and its hits are not
        kept. This can’t be undone.
      </p>
    </ConfirmDialog>
  );
}
