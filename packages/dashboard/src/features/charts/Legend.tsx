import { useTerm } from '../glossary/Term.tsx';
import type { Series } from './steps.ts';

interface LegendEntry extends Series {
  /** null: it is said elsewhere. */
  readonly total: string | null;
}

interface BeforeEntryProps {
  readonly name: string;
  /** null: none of it is over in the period that is drawn. */
  readonly total: string | null;
  /** There is a line, which this names. */
  readonly isDrawn: boolean;
}

interface LegendProps {
  entries: readonly LegendEntry[];
  alone: string | null;
  onAlone: (key: string) => void;
  /** What the line is; null: nothing is compared. */
  before?: BeforeEntryProps | null;
  /** A bar is striped. */
  isGrowing?: boolean;
}

/** What is striped. */
export const GROWING = 'In progress';

/**
 * Names the colours in stacking order with their totals. Pressing an entry draws it alone, so that the chart works without colours.
 */
export function Legend({ entries, alone, onAlone, before = null, isGrowing = false }: LegendProps) {
  return (
    <>
      {entries.length > 0 && (
        <ul className="chart-legend-items" aria-label="Show one series">
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} alone={alone} onAlone={onAlone} />
          ))}
        </ul>
      )}
      {before !== null && <BeforeEntry {...before} />}
      {isGrowing && (
        <span className="legend-before quiet">
          <StripedSwatch />
          {GROWING}
        </span>
      )}
    </>
  );
}

/** What the bars are compared with. */
export function BeforeEntry({ name, total, isDrawn }: BeforeEntryProps) {
  return (
    <span className="legend-before">
      {isDrawn ? <LineSwatch /> : <span className="quiet">Compared with</span>}
      {name} {total !== null && <span className="number quiet">{total}</span>}
    </span>
  );
}

function Entry({
  entry: { key, name, paint, term, total },
  alone,
  onAlone,
}: Pick<LegendProps, 'alone' | 'onAlone'> & { entry: LegendEntry }) {
  const { trigger, tip } = useTerm(term);
  return (
    <li>
      <button
        {...trigger}
        type="button"
        className="chart-legend-item"
        aria-pressed={alone === key}
        data-dim={alone !== null && alone !== key}
        onClick={() => onAlone(key)}
      >
        <Swatch paint={paint} />
        <span
          className={term === undefined ? 'legend-name' : 'legend-name term-word'}
          title={term === undefined ? name : undefined}
        >
          {name}
        </span>
        {total !== null && <span className="number quiet">{total}</span>}
      </button>
      {tip}
    </li>
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

/** What the bars are compared with, as it is drawn. */
export function LineSwatch() {
  return (
    <svg className="swatch" width="18" height="9" viewBox="0 0 18 9" aria-hidden="true">
      <path className="chart-before" d="M0 4.5H18" />
    </svg>
  );
}

/** A bar that is in progress, as it is drawn. */
function StripedSwatch() {
  return (
    <svg className="swatch" width="12" height="9" viewBox="0 0 12 9" aria-hidden="true">
      <rect className="stripes-ground" width="12" height="9" rx="2" />
      <path className="chart-stripe" d="M-1 7 7 -1M2 11 13 0" />
    </svg>
  );
}
