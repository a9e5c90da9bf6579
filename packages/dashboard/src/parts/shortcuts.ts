/** Key presses for the application: not those in a field, with a modifier, or under a dialog. */
import { useEffect, useRef } from 'react';

/** The key of this computer that goes with a letter of the application: `⌘`, `Ctrl`. */
export const COMMAND_KEY = /Mac|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const FIELDS = 'input, textarea, select, [contenteditable="true"]';

function isForUs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  if (document.querySelector('dialog[open], [role="menu"]') !== null) return false;
  return !(event.target instanceof Element && event.target.closest(FIELDS) !== null);
}

/**
 * Listens while mounted; the handler may change at every render. A press whose default is prevented is ignored by other listeners.
 * @param first listens before all others; fixed while mounted
 */
export function useKeyPress(handler: (event: KeyboardEvent) => void, first = false): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isForUs(event)) latest.current(event);
    };
    window.addEventListener('keydown', listen, first);
    return () => window.removeEventListener('keydown', listen, first);
  }, [first]);
}
