import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { ErrorState } from './states.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** What must be typed before the action is let through. */
  word: string;
  action: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** For what can't be undone. */
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
          label={`Type ${word} to confirm`}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {error !== null && <ErrorState error={error} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-danger" disabled={!matches || pending}>
            {pending ? 'One moment…' : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
