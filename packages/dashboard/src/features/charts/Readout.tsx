import type { ReactNode } from 'react';

interface ReadoutProps {
  hint: string;
  /** A bar can be opened. */
  opens?: boolean;
  children: ReactNode;
}

/** The line above a chart: what is being read, else what it shows. One line high whatever it says, so that nothing below ever moves. */
export function Readout({ hint, opens = false, children }: ReadoutProps) {
  return (
    <p className="readout number" aria-hidden="true">
      {children || (
        <span className="readout-hint">
          {hint}
          <span className="readout-how">
            {' '}
            ·{' '}
            {opens ? 'point at a bar to read it, click to open it' : 'point at a day, or use the arrow keys'}
          </span>
        </span>
      )}
    </p>
  );
}
