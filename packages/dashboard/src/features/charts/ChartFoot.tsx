import type { ReactNode } from 'react';

interface ChartFootProps {
  /** The names of the colours; absent: there is one. */
  legend?: ReactNode;
  /** What the figures have, or leave out; absent parts are left out. */
  notes: readonly (string | undefined)[];
  /** The chart as a table, and as files. */
  children: ReactNode;
}

/** The line below a chart: legend, notes, its figures as a table and as files. */
export function ChartFoot({ legend, notes, children }: ChartFootProps) {
  return (
    <div className="chart-foot">
      <div className="legend-keys">{legend}</div>
      <div className="chart-more">
        <span className="chart-note quiet">{notes.filter((note) => note !== undefined).join(' · ')}</span>
        {children}
      </div>
    </div>
  );
}
