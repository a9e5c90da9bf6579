import { type ReactNode, useEffect, useRef } from 'react';
import { IconCross } from './icons.tsx';

interface DrawerProps {
  /** Names the region. */
  label: string;
  title: ReactNode;
  /** Marks below the title. */
  marks?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Details of a row, beside the list. Not modal, so that the rows stay usable. It takes the focus when it opens, so that a screen
 * reader continues here, and returns it to the row when it closes.
 */
export function Drawer({ label, title, marks, onClose, children }: DrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      // Only if the focus is inside: it may have moved elsewhere.
      const at = document.activeElement;
      if (opener instanceof HTMLElement && (at === null || at === document.body)) opener.focus();
    };
  }, []);
  return (
    <aside className="drawer" aria-label={label}>
      <header className="drawer-head">
        <div>
          <h2 ref={heading} tabIndex={-1} className="break">
            {title}
          </h2>
          <div className="drawer-marks">{marks}</div>
        </div>
        <button type="button" className="icon-button" aria-label="Close details" onClick={onClose}>
          <IconCross />
        </button>
      </header>
      <div className="drawer-body">{children}</div>
    </aside>
  );
}
