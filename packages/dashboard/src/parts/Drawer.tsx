import { type ReactNode, useEffect, useRef } from 'react';
import { IconCross } from './icons.tsx';

interface DrawerProps {
  /** Names the region. */
  label: string;
  title: ReactNode;
  /** States, below the title. */
  marks?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * What a row of a list has to say, beside the list. Not modal: the rows stay in reach. It takes the focus when it opens, so that a screen
 * reader reads on here, and gives it back to the row when it closes.
 */
export function Drawer({ label, title, marks, onClose, children }: DrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      // Only if the focus would be lost with us: the reader may have moved on.
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
