interface LegendEntry {
  readonly key: string;
  readonly name: string;
  readonly paint: string;
  readonly total: string;
  /** Its figure for the bar that is shown; null: no bar is. */
  readonly reading: string | null;
}

interface LegendProps {
  entries: readonly LegendEntry[];
  alone: string | null;
  onAlone: (key: string) => void;
  /** Some bar is incomplete and drawn lighter. */
  grows: boolean;
  /** The dashed line; null: there is none. */
  before?: { readonly name: string; readonly total: string } | null;
}

/**
 * Names the colours in stacking order with their totals, or with the figures of the bar that is shown.
 * Pressing an entry draws it alone, so that the chart works without colours.
 */
export function Legend({ entries, alone, onAlone, grows, before = null }: LegendProps) {
  return (
    <div className="chart-legend">
      <ul className="chart-legend-items" aria-label="Show one series">
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
              {/* The width of the total stays, so that the legend does not move while figures change. */}
              <span className="legend-figure number quiet" data-reading={reading !== null}>
                <span className="legend-total">{total}</span>
                {reading !== null && <span aria-hidden="true">{reading}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {before !== null && (
        <span className="legend-before">
          <svg className="swatch" width="18" height="9" viewBox="0 0 18 9" aria-hidden="true">
            <path className="chart-before" d="M0 4.5H18" />
          </svg>
          {before.name} <span className="number quiet">{before.total}</span>
        </span>
      )}
      {grows && <span className="quiet">Lighter bars are incomplete</span>}
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
