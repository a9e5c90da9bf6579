/**
 * A modal dialog on the browser's `<dialog>`, which traps focus and closes on Esc. It needs no inline style, which the
 * content policy forbids.
 */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconCross } from './icons.tsx';

/** Gets the focus first, where a dialog has no such mark; without any, the browser takes the first button. */
const FIRST_FIELD =
  'input:not([type="radio"], [type="checkbox"], [type="hidden"], [readonly]), textarea:not([readonly])';
/** The first of several choices may be right already; the only one of a form is what it asks for. */
const ONLY_CHOICE = 'form select';

interface DialogProps {
  title: string;
  /** At the end of the title's line: `Step 1 of 3`. */
  note?: string;
  onClose: () => void;
  children: ReactNode;
  /** False for a dialog that must be answered, such as a key that is shown once. */
  dismissible?: boolean;
  /** For documents and large forms. */
  wide?: boolean;
  /** For choices, which are closer together on a phone. */
  dense?: boolean;
}

/** Gets the focus back: the button that was pressed; for an entry of a menu, which is gone by then, the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? null;
  const opener = menu === null ? focused : document.getElementById(menu);
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

export function Dialog({
  title,
  note,
  onClose,
  children,
  dismissible = true,
  wide = false,
  dense = false,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // While the dialog is still in the page: the focus of a removed one is lost.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const opener = openerOf(document.activeElement);
    dialog.showModal();
    // React applied `autoFocus` while the dialog was hidden, which has no effect.
    const first = dialog.querySelector<HTMLElement>('[data-first]');
    (
      first ??
      dialog.querySelector<HTMLElement>(FIRST_FIELD) ??
      dialog.querySelector<HTMLElement>(ONLY_CHOICE)
    )?.focus();
    return () => {
      dialog.close();
      opener?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is a convenience beside Esc and the close button
    <dialog
      ref={ref}
      className="dialog"
      data-wide={wide}
      data-dense={dense}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (dismissible) onClose();
      }}
      onClick={(event) => {
        if (dismissible && event.target === ref.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {note !== undefined && <p className="dialog-note">{note}</p>}
          {dismissible && (
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              <IconCross />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface DialogActionsProps {
  onCancel: () => void;
  cancel?: string;
  /** Absent: the action submits the form around it. */
  onAct?: () => void;
  disabled?: boolean;
  /** For what can't be undone. */
  danger?: boolean;
  /** The action's name. */
  children: ReactNode;
}

/** The end of a dialog: the way out, then the action. */
export function DialogActions({
  onCancel,
  cancel = 'Cancel',
  onAct,
  disabled = false,
  danger = false,
  children,
}: DialogActionsProps) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button" onClick={onCancel}>
        {cancel}
      </button>
      <button
        type={onAct === undefined ? 'submit' : 'button'}
        className={danger ? 'button button-danger' : 'button button-primary'}
        disabled={disabled}
        onClick={onAct}
      >
        {children}
      </button>
    </div>
  );
}
