import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

const JumpDialog = lazy(async () => ({ default: (await import('./JumpDialog.tsx')).JumpDialog }));

interface Jump {
  open(): void;
  /** The dialog to render; null while it is closed. */
  readonly dialog: ReactNode;
}

/** ⌘K or Ctrl+K: a search for places. Loaded when it is first opened. */
export function useJump(): Jump {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key !== 'k') return;
      // Not over an open dialog.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return {
    open: () => setOpen(true),
    dialog: isOpen ? (
      <Suspense>
        <JumpDialog onClose={() => setOpen(false)} />
      </Suspense>
    ) : null,
  };
}
