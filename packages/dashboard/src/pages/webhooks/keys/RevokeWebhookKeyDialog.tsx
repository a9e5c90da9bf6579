import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { type WebhookKey, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';

interface RevokeWebhookKeyDialogProps {
  property: Property;
  webhookKey: WebhookKey;
  onClose: () => void;
}

export function RevokeWebhookKeyDialog({ property, webhookKey, onClose }: RevokeWebhookKeyDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webhooksApi.revokeKey(property.id, webhookKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(webhooksQueries.keys(property.id));
      announce(`Revoked ${webhookKey.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${webhookKey.name}”?`}
      word={webhookKey.name}
      action="Revoke key"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Whoever sends with <code>{webhookKey.prefix}…</code> is answered 401 within seconds, and its
        conversions are not recorded. This can’t be undone.
      </p>
    </ConfirmDialog>
  );
}
