import { useState } from 'react';
import { dayLabel } from '../../format/day.ts';
import { isZero } from '../model/money.ts';
import type { Shaped } from '../model/series.ts';
import type { Dimension } from '../types.ts';
import { figure, lineName } from './lines.ts';

interface ChartTableProps {
  shaped: Shaped;
  currency: string | null;
  by: Dimension;
}

/** The chart's figures for those who can't see it, and for those who want to know exactly. Empty days are left out. */
export function ChartTable({ shaped: { starts, lines, sums, step }, currency, by }: ChartTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The chart as a table</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="chart-table-box" aria-label="Figures of the chart" tabIndex={0}>
          <table className="table" aria-label={`Per ${step}, UTC`}>
            <thead>
              <tr>
                <th scope="col">{step === 'week' ? 'Week of' : 'Day'}</th>
                {lines.map((line) => (
                  <th key={line.key} scope="col" className="cell-number">
                    {lineName(line, by)}
                  </th>
                ))}
                <th scope="col" className="cell-number">
                  Sum
                </th>
              </tr>
            </thead>
            <tbody>
              {starts.map((day, bar) =>
                !isZero(sums[bar] ?? '0') ? (
                  <tr key={day}>
                    <th scope="row">{dayLabel(day)}</th>
                    {lines.map((line) => (
                      <td key={line.key} className="cell-number">
                        {figure(line.values[bar] ?? '0', currency)}
                      </td>
                    ))}
                    <td className="cell-number">{figure(sums[bar] ?? '0', currency)}</td>
                  </tr>
                ) : null,
              )}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
