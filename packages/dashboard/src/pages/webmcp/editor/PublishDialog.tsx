import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { webmcpApi, webmcpQueries } from '../api.ts';
import { declarationOf } from '../model/editor.ts';
import type { WebmcpState } from '../types.ts';
import type { Workspace } from '../useWorkspace.ts';
import { ChangeList } from './ChangeList.tsx';

interface PublishDialogProps {
  property: Property;
  state: WebmcpState;
  workspace: Workspace;
  onDone: () => void;
  onClose: () => void;
}

/** Confirms the changes before publishing. A newer publication is shown and must be accepted first. */
export function PublishDialog({ property, state, workspace, onDone, onClose }: PublishDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await workspace.draft.settle();
      return await webmcpApi.publish(property.id, declarationOf(workspace.editor), workspace.baseVersion);
    },
    onSuccess: (next) => {
      workspace.adopt(next);
      announce(`Published version ${next.published?.version ?? ''}`);
      void queryClient.invalidateQueries({ queryKey: webmcpQueries.versionsKey(property.id) });
      void queryClient.invalidateQueries(webmcpQueries.status(property.id));
      onClose();
      onDone();
    },
    onError: (problem) => {
      if (problem instanceof ApiError && problem.status === 409) {
        void queryClient.invalidateQueries(webmcpQueries.state(property.id));
      }
    },
  });
  const { overtaken, editor, difference } = workspace;
  const conflict = error instanceof ApiError && error.status === 409;
  return (
    <Dialog title={state.published === null ? 'Publish' : 'Publish the changes'} onClose={onClose}>
      {overtaken && (
        <div className="notice notice-bad">
          <p>
            Version {state.published?.version ?? ''} was published while you were editing. The changes from
            that version are below. Publishing removes anything your draft lacks.
          </p>
        </div>
      )}
      <ChangeList difference={difference} />
      <p className="aside">
        Agents get it on {editor.hosts.join(', ') || 'no host yet'} within about two minutes, once collectors
        have fetched it.
      </p>
      {error !== null && !conflict && <Refused error={error} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Keep editing
        </button>
        {overtaken ? (
          <button type="button" className="button button-danger" onClick={workspace.acceptPublished}>
            Go on from version {state.published?.version ?? ''}
          </button>
        ) : (
          <button
            type="button"
            className="button button-primary"
            disabled={isPending}
            onClick={() => mutate()}
          >
            {isPending ? 'Signing…' : 'Sign and publish'}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Refused({ error }: { error: unknown }) {
  const fields = error instanceof ApiError ? error.fields : [];
  return (
    <>
      <ErrorState error={error} />
      {fields.length > 0 && (
        <ul className="refused">
          {fields.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
