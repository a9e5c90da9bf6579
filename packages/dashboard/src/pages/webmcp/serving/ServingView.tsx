import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { DangerRow, DangerZone } from '../../../parts/DangerZone.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import { webmcpApi, webmcpQueries } from '../api.ts';
import type { WebmcpState } from '../types.ts';
import { HostStatusPanel } from './HostStatusPanel.tsx';
import { RotateKeysDialog, SignaturePanel } from './SignaturePanel.tsx';
import { TrustPanel } from './TrustPanel.tsx';

interface ServingViewProps {
  property: Property;
  state: WebmcpState;
  onState: (state: WebmcpState) => void;
}

/** Whether agents get the document, and whether it verifies. */
export function ServingView({ property, state, onState }: ServingViewProps) {
  const [asking, setAsking] = useState<'rotate' | 'unpublish' | null>(null);
  const { published } = state;
  if (published === null) {
    return (
      <EmptyState title="Nothing published yet">
        After publishing, this page fetches the document from each host, verifies its signature, and says what
        to do if that fails.
      </EmptyState>
    );
  }
  const close = () => setAsking(null);
  return (
    <div className="serving">
      <HostStatusPanel property={property} state={state} />
      <TrustPanel hosts={state.hosts} issuer={state.issuer} />
      <SignaturePanel state={state} published={published} />
      <RequirePermission>
        <DangerZone>
          <DangerRow
            title="Rotate keys"
            about="Rotating replaces the signing key. Copies signed with the old key stop verifying at once."
          >
            <button type="button" className="button button-bad" onClick={() => setAsking('rotate')}>
              Rotate keys
            </button>
          </DangerRow>
          <DangerRow
            title="Unpublish"
            about="Hosts stop serving the document within about two minutes. Versions stay in the history."
          >
            <button type="button" className="button button-bad" onClick={() => setAsking('unpublish')}>
              Unpublish
            </button>
          </DangerRow>
        </DangerZone>
      </RequirePermission>
      {asking === 'rotate' && <RotateKeysDialog property={property} onState={onState} onClose={close} />}
      {asking === 'unpublish' && <UnpublishDialog property={property} onState={onState} onClose={close} />}
    </div>
  );
}

interface UnpublishDialogProps {
  property: Property;
  onState: (state: WebmcpState) => void;
  onClose: () => void;
}

function UnpublishDialog({ property, onState, onClose }: UnpublishDialogProps) {
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
        Collectors stop serving the document within about two minutes. After that the URL leads to your own
        site again. Copies that agents hold stay valid until they expire, for up to a day; rotate keys first
        to invalidate them at once.
      </p>
      <p>Versions stay in the history and can be restored.</p>
    </ConfirmDialog>
  );
}
