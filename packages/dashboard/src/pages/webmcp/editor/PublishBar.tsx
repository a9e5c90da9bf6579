import { useMutation } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { webmcpApi } from '../api.ts';
import { isSame, summaryOf } from '../model/difference.ts';
import type { PlacedProblem } from '../model/problems.ts';
import type { WebmcpState } from '../types.ts';
import type { Workspace } from '../useWorkspace.ts';
import { ProblemsButton } from './ProblemsButton.tsx';
import type { Check } from './useCheck.ts';

interface PublishBarProps {
  property: Property;
  state: WebmcpState;
  workspace: Workspace;
  check: Check;
  ref: Ref<HTMLElement>;
  onShow: (problem: PlacedProblem) => void;
  /** Called when the draft was discarded. */
  onDone: () => void;
  onPreview: () => void;
  onPublish: () => void;
}

interface RestingActionsProps {
  /** What is published. */
  version: number;
  ref: Ref<HTMLElement>;
  onPreview: () => void;
}

/** Instead of the bar while nothing is to be published: at the head of the page. */
export function RestingActions({ version, ref, onPreview }: RestingActionsProps) {
  return (
    <section className="resting-actions" aria-label="Publish" ref={ref} tabIndex={-1}>
      <RequirePermission>
        <button type="button" className="button" onClick={onPreview}>
          Preview
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled
          title={`No changes since version ${version}`}
        >
          Publish
        </button>
      </RequirePermission>
    </section>
  );
}

/** Visible while there is something to publish: the changes, problems, and whether the draft is saved. */
export function PublishBar({
  property,
  state,
  workspace,
  check,
  ref,
  onShow,
  onDone,
  onPreview,
  onPublish,
}: PublishBarProps) {
  const { editor, difference } = workspace;
  const [discarding, setDiscarding] = useState(false);
  const same = isSame(difference);
  const errors = check.problems.filter(({ severity }) => severity === 'error');
  const warnings = check.problems.filter(({ severity }) => severity === 'warning');
  const hasDraft = state.draft !== null || editor.revision !== 0;
  return (
    <section className="publish-bar" aria-label="Publish" ref={ref} tabIndex={-1}>
      <div className="publish-state">
        <p className="publish-what">
          {errors.length > 0 ? (
            <ProblemsButton problems={errors} name="problem" onShow={onShow} />
          ) : (
            <span className="publish-ready">
              {state.published === null ? 'Not published yet' : 'Changed'}
            </span>
          )}
          <ProblemsButton problems={warnings} name="warning" onShow={onShow} />
          {!same && (
            <span className="publish-summary">
              {state.published === null
                ? `${counted(editor.tools.length, 'tool')} on ${counted(editor.hosts.length, 'host')}`
                : summaryOf(difference)}
            </span>
          )}
        </p>
        <DraftLine workspace={workspace} shown={hasDraft && !same} />
      </div>
      <RequirePermission>
        <div className="publish-actions">
          {hasDraft && !same && (
            <button type="button" className="button button-plain" onClick={() => setDiscarding(true)}>
              Discard draft
            </button>
          )}
          <button type="button" className="button" onClick={onPreview}>
            Preview
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={errors.length > 0 || same || state.issuer_problem !== null}
            onClick={onPublish}
          >
            Publish
          </button>
        </div>
      </RequirePermission>
      {discarding && (
        <DiscardDialog
          property={property}
          workspace={workspace}
          onDone={onDone}
          onClose={() => setDiscarding(false)}
        />
      )}
    </section>
  );
}

function DraftLine({ workspace: { draft }, shown }: { workspace: Workspace; shown: boolean }) {
  if (draft.state === 'failed') {
    const reason = draft.error instanceof ApiError ? draft.error.message : 'Something failed.';
    return (
      <p className="draft-line" role="alert">
        <span className="text-bad">Draft not saved.</span> <span className="break">{reason}</span>{' '}
        <button type="button" className="button button-small" onClick={draft.save}>
          Try again
        </button>
      </p>
    );
  }
  if (!shown) return null;
  return <p className="draft-line quiet">{draft.state === 'saving' ? 'Saving draft…' : 'Draft saved'}</p>;
}

interface DiscardDialogProps {
  property: Property;
  workspace: Workspace;
  onDone: () => void;
  onClose: () => void;
}

function DiscardDialog({ property, workspace, onDone, onClose }: DiscardDialogProps) {
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
      <DialogActions
        onCancel={onClose}
        cancel="Keep editing"
        onAct={() => mutate()}
        disabled={isPending}
        danger
      >
        {isPending ? 'One moment…' : 'Discard draft'}
      </DialogActions>
    </Dialog>
  );
}
