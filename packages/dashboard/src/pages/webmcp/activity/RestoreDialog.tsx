import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { webmcpQueries } from '../api.ts';
import { type Difference, isSame, summaryOf } from '../model/difference.ts';
import type { Declaration, HistoryEntry } from '../types.ts';

interface RestoreDialogProps {
  property: Property;
  entry: HistoryEntry;
  /** Edits that are not published and would be lost. */
  difference: Difference;
  onRestore: (declaration: Declaration) => void;
  onClose: () => void;
}

/** Into the editor, never straight to agents. */
export function RestoreDialog({ property, entry, difference, onRestore, onClose }: RestoreDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => queryClient.fetchQuery(webmcpQueries.version(property.id, entry.version)),
    onSuccess: (declaration) => {
      announce(`Version ${entry.version} is in the editor`);
      onRestore(declaration);
    },
  });
  return (
    <Dialog title={`Restore version ${entry.version}?`} onClose={onClose}>
      <p>
        Its hosts and tools come into the editor as a draft. Nothing changes for agents until you publish.
      </p>
      {!isSame(difference) && (
        <p>
          <strong>Your draft is replaced</strong>: {summaryOf(difference)}.
        </p>
      )}
      {error !== null && <ErrorState error={error} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate()}>
          {isPending ? 'One moment…' : 'Restore into the editor'}
        </button>
      </div>
    </Dialog>
  );
}
