import type { ReactNode } from 'react';

interface RowOpenProps {
  /** What the row is, and what opens: `Purchase o-1: details`. */
  label: string;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** The button of a row that opens beside its list. The whole row can be pressed; this is what the keyboard presses. */
export function RowOpen({ label, isOpen, onOpen, children }: RowOpenProps) {
  return (
    <button
      type="button"
      className="row-open"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
    >
      {children}
    </button>
  );
}
