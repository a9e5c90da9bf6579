import type { Line } from '../model/series.ts';
import type { Dimension } from '../types.ts';
import { figure, lineName, seriesOf } from './lines.ts';

interface LegendProps {
  lines: readonly Line[];
  currency: string | null;
  by: Dimension;
  alone: string | null;
  onAlone: (key: string) => void;
}

/** Names the colours, in the order in which they are stacked. Pressing one draws it alone: no reader has to tell colours apart. */
export function Legend({ lines, currency, by, alone, onAlone }: LegendProps) {
  return (
    <ul className="legend" aria-label="Draw one alone">
      {lines.map((line, index) => (
        <li key={line.key}>
          <button
            type="button"
            className="legend-item"
            aria-pressed={alone === line.key}
            data-dim={alone !== null && alone !== line.key}
            onClick={() => onAlone(line.key)}
          >
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <rect data-series={seriesOf(line, index)} width="10" height="10" rx="2" />
            </svg>
            <span className="break">{lineName(line, by)}</span>
            <span className="number legend-total">{figure(line.total, currency)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
