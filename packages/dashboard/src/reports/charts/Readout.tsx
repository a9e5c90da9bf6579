import type { ReactNode } from 'react';

/** The line above a chart: what is being read, else what it shows. One line high whatever it says, so that nothing below ever moves. */
export function Readout({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <p className="readout number" aria-hidden="true">
      {children || (
        <span className="readout-hint">
          {hint}
          <span className="readout-how"> · point at a day, or use the arrow keys</span>
        </span>
      )}
    </p>
  );
}
