import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { type TrackingDomain, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';

interface RemoveDomainDialogProps {
  property: Property;
  domain: TrackingDomain;
  onClose: () => void;
}

export function RemoveDomainDialog({ property, domain: { domain }, onClose }: RemoveDomainDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webhooksApi.removeDomain(property.id, domain),
    onSuccess: async () => {
      await queryClient.invalidateQueries(webhooksQueries.domains(property.id));
      announce(`Removed ${domain}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      word={domain}
      action="Remove domain"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Pages and servers that still send to this name are refused at once. Change their address to this
        service’s own first.
      </p>
    </ConfirmDialog>
  );
}
