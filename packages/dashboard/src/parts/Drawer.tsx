import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
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
  const heading = useDrawerFocus();
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

/**
 * Moves the focus to the heading of details that open, and back to their row when they close. Details may lead to those of another row.
 */
export function useDrawerFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const row = useRef<Element | null>(null);
  useEffect(() => {
    row.current = openRow() ?? row.current;
  });
  useEffect(() => {
    row.current = openRow() ?? document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      // Only if the focus was inside: it may have moved elsewhere.
      const at = document.activeElement;
      if (row.current instanceof HTMLElement && (at === null || at === document.body))
        row.current.focus({ preventScroll: true });
    };
  }, []);
  return heading;
}

const openRow = () => document.querySelector('.row-open[aria-expanded="true"]');
