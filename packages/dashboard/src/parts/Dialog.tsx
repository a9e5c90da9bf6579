/**
 * A modal dialog on the browser's own `<dialog>`: it traps focus, closes on Esc and gives focus back without a line of ours, and needs no
 * inline style, which the content policy forbids.
 */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconCross } from './icons.tsx';

/** Where a form begins. Without one the browser chooses. */
const FIRST_FIELD =
  'input:not([type="radio"], [type="checkbox"], [type="hidden"], [readonly]), textarea:not([readonly])';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** False for what must be answered, as a key that is never shown again. */
  dismissible?: boolean;
  /** For documents and forms that need the room. */
  wide?: boolean;
}

export function Dialog({ title, onClose, children, dismissible = true, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // React gave the focus to what asked for it (`autoFocus`) while the dialog was still hidden, so that nothing came of it.
      dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is a convenience beside Esc and the close button
    <dialog
      ref={ref}
      className="dialog"
      data-wide={wide}
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
