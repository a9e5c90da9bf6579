import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAnnounce } from './Announcer.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { ErrorState } from './states.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** The text to type before the action is enabled. */
  word: string;
  action: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms an action that can't be undone. */
export function ConfirmDialog({
  title,
  children,
  word,
  action,
  pending,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const matches = typed.trim() === word.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (matches) onConfirm();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {children}
        <Field
          label={
            <>
              Type <code>{word}</code> to confirm
            </>
          }
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {error !== null && <ErrorState error={error} />}
        <DialogActions onCancel={onClose} disabled={!matches || pending} danger>
          {pending ? 'One moment…' : action}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface RemoveDialogProps {
  title: string;
  children: ReactNode;
  /** The text to type before the action is enabled. */
  word: string;
  action: string;
  remove: () => Promise<unknown>;
  /** Read again afterwards, one after the other, before the dialog closes. */
  outdated: readonly { readonly queryKey: QueryKey }[];
  /** Announced afterwards. */
  done: string;
  onClose: () => void;
}

/** Removes or revokes one entry of a list, then refreshes the list. */
export function RemoveDialog({ remove, outdated, done, onClose, ...confirm }: RemoveDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      for (const { queryKey } of outdated) await queryClient.invalidateQueries({ queryKey });
      announce(done);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      {...confirm}
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
