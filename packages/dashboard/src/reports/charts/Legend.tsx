import { Swatch } from './Swatch.tsx';

interface LegendProps {
  entries: readonly { key: string; name: string; paint: string; total: string }[];
  alone: string | null;
  onAlone: (key: string) => void;
}

/** Names the colours, in the order in which they are stacked. Pressing one draws it alone: nobody has to tell colours apart. */
export function Legend({ entries, alone, onAlone }: LegendProps) {
  return (
    <ul className="chart-legend" aria-label="Draw one alone">
      {entries.map(({ key, name, paint, total }) => (
        <li key={key}>
          <button
            type="button"
            className="chart-legend-item"
            aria-pressed={alone === key}
            data-dim={alone !== null && alone !== key}
            onClick={() => onAlone(key)}
          >
            <Swatch paint={paint} />
            {name}
            <span className="number quiet">{total}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
