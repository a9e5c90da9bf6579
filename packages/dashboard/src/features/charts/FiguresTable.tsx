import { useState } from 'react';
import { type Bar, type BarUnit, signed } from './steps.ts';

interface Column {
  readonly key: string;
  readonly name: string;
}

interface FiguresTableProps {
  title: string;
  unit: BarUnit;
  bars: readonly Bar[];
  series: readonly Column[];
  /** Columns before the series; the sum leaves them out. */
  also: readonly Column[];
  format: (value: number) => string;
}

const UNITS: Readonly<Record<BarUnit, string>> = { minute: 'Minute', hour: 'Hour', day: 'Day', week: 'Week' };

/** The chart's figures as a table, for screen readers and for exact values. Empty bars are left out. */
export function FiguresTable({ title, unit, bars, series, also, format }: FiguresTableProps) {
  const [open, setOpen] = useState(false);
  const columns = [...also, ...series];
  const sumOf = ({ values }: Bar) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const estimatedOf = ({ estimated = {} }: Bar) =>
    series.reduce((sum, { key }) => sum + (estimated[key] ?? 0), 0);
  const isEmpty = ({ values }: Bar) => columns.every(({ key }) => (values[key] ?? 0) === 0);
  return (
    <details className="chart-figures" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show data</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="chart-figures-box" aria-label={`Figures: ${title}`} tabIndex={0}>
          <table className="table" aria-label={`${title}, by ${unit}`}>
            <thead>
              <tr>
                <th scope="col">{UNITS[unit]}</th>
                {columns.map(({ key, name }) => (
                  <th key={key} scope="col" className="cell-figure">
                    {name}
                  </th>
                ))}
                {series.length > 1 && (
                  <th scope="col" className="cell-figure">
                    Sum
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {bars
                .filter((bar) => !isEmpty(bar))
                .map((bar) => (
                  <tr key={bar.day}>
                    <th scope="row">
                      {bar.label}
                      {bar.partial && ' (so far)'}
                    </th>
                    {columns.map(({ key }) => (
                      <td key={key} className="cell-figure">
                        {signed(format(bar.values[key] ?? 0), bar.estimated?.[key])}
                      </td>
                    ))}
                    {series.length > 1 && (
                      <td className="cell-figure">{signed(format(sumOf(bar)), estimatedOf(bar))}</td>
                    )}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
