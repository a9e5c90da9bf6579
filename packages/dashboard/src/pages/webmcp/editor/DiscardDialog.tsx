import { useMutation } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { webmcpApi } from '../api.ts';
import { summaryOf } from '../model/difference.ts';
import type { Workspace } from '../useWorkspace.ts';

interface DiscardDialogProps {
  property: Property;
  workspace: Workspace;
  onDone: () => void;
  onClose: () => void;
}

export function DiscardDialog({ property, workspace, onDone, onClose }: DiscardDialogProps) {
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await workspace.draft.settle();
      await webmcpApi.discardDraft(property.id);
      return await webmcpApi.state(property.id);
    },
    onSuccess: (state) => {
      workspace.adopt(state);
      announce('Draft discarded');
      onClose();
      onDone();
    },
  });
  return (
    <Dialog title="Discard the draft?" onClose={onClose}>
      <p>What is published stays as it is. These edits are lost: {summaryOf(workspace.difference)}.</p>
      {error !== null && <ErrorState error={error} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Keep editing
        </button>
        <button type="button" className="button button-danger" disabled={isPending} onClick={() => mutate()}>
          {isPending ? 'One moment…' : 'Discard draft'}
        </button>
      </div>
    </Dialog>
  );
}
