interface LegendEntry {
  readonly key: string;
  readonly name: string;
  readonly paint: string;
  readonly total: string;
  /** Its figure of the day that is being read; null: none is. */
  readonly reading: string | null;
}

interface LegendProps {
  entries: readonly LegendEntry[];
  alone: string | null;
  onAlone: (key: string) => void;
  /** A pale bar is among those drawn. */
  grows: boolean;
}

/**
 * Names the colours, in the order in which they are stacked, with their totals, or with their figures of the day that is being read.
 * Pressing one draws it alone: nobody has to tell colours apart.
 */
export function Legend({ entries, alone, onAlone, grows }: LegendProps) {
  return (
    <div className="chart-legend">
      <ul className="chart-legend-items" aria-label="Draw one alone">
        {entries.map(({ key, name, paint, total, reading }) => (
          <li key={key}>
            <button
              type="button"
              className="chart-legend-item"
              aria-pressed={alone === key}
              data-dim={alone !== null && alone !== key}
              onClick={() => onAlone(key)}
            >
              <Swatch paint={paint} />
              <span className="legend-name" title={name}>
                {name}
              </span>
              {/* The total keeps its width while a day is read: the legend must not move under the eye. */}
              <span className="legend-figure number quiet" data-reading={reading !== null}>
                <span className="legend-total">{total}</span>
                {reading !== null && <span aria-hidden="true">{reading}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {grows && <span className="quiet">Pale: still being counted</span>}
    </div>
  );
}

/** The colour of a series beside its name. */
export function Swatch({ paint }: { paint: string }) {
  return (
    <svg className="swatch" width="9" height="9" viewBox="0 0 9 9" aria-hidden="true">
      <rect data-paint={paint} width="9" height="9" rx="2" />
    </svg>
  );
}
