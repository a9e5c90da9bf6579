import { type ComponentType, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { earlyText } from './early.ts';
import type { JumpDialogProps } from './JumpDialog.tsx';

interface Jump {
  open(): void;
  /** The dialog to render; null while it is closed. */
  readonly dialog: ReactNode;
}

/** Its code, loaded once the first view rests, or by the first press. */
export const loadJump = () => import('./JumpDialog.tsx');

/** ⌘K or Ctrl+K: a search for places. */
export function useJump(): Jump {
  const [isOpen, setOpen] = useState(false);
  const [Loaded, setLoaded] = useState<ComponentType<JumpDialogProps> | null>(null);
  const early = useRef('');
  const hasField = useRef(false);
  const open = useCallback(() => {
    early.current = '';
    hasField.current = false;
    setOpen(true);
    loadJump().then(
      ({ JumpDialog }) => setLoaded(() => JumpDialog),
      () => setOpen(false),
    );
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key !== 'k') return;
      // Not over an open dialog.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
  // Who types at once need not wait for the field: what comes before it is in it.
  useEffect(() => {
    if (!isOpen) return;
    const keep = (event: KeyboardEvent) => {
      if (hasField.current) return;
      if (event.key === 'Escape') setOpen(false);
      const next = earlyText(early.current, event);
      if (next === null) return;
      early.current = next;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', keep, true);
    return () => window.removeEventListener('keydown', keep, true);
  }, [isOpen]);
  const takeEarly = useCallback(() => {
    hasField.current = true;
    return early.current;
  }, []);
  return {
    open,
    dialog:
      isOpen && Loaded !== null ? <Loaded takeEarly={takeEarly} onClose={() => setOpen(false)} /> : null,
  };
}
