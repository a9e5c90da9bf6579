import type { ReactNode } from 'react';

interface ChartFootProps {
  /** The names of the colours; absent: there is one. */
  legend?: ReactNode;
  /** What the figures have, or leave out; absent parts are left out. */
  notes?: readonly (string | undefined)[];
  /** In its place while a bar is read on a phone: the figures of the bar. */
  over?: ReactNode;
}

/** Below a chart: its legend, and notes where they are needed. */
export function ChartFoot({ legend, notes = [], over }: ChartFootProps) {
  const said = notes.filter((note) => note !== undefined);
  return (
    <div className="chart-foot">
      {legend}
      {said.length > 0 && <span className="chart-note quiet">{said.join(' · ')}</span>}
      {over}
    </div>
  );
}
