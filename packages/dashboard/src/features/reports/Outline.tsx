/**
 * What is known of a report before its figures: names, columns and explanations, drawn at once in the places that they will have. Grey bars
 * keep the places of figures.
 */
import type { ReactNode } from 'react';
import { Stat } from './Stat.tsx';

export interface OutlineColumn {
  readonly key: string;
  readonly label: string;
  readonly kind: 'name' | 'figure' | 'picture' | 'time';
  readonly rank: 1 | 2 | 3 | 4;
}

export interface OutlinePanel {
  /** Its heading; left out where the heading has a figure. */
  readonly title?: ReactNode;
  readonly about?: ReactNode;
  /** Of a chart, in pixels. */
  readonly chart?: number;
  /** Of a table. */
  readonly columns?: readonly OutlineColumn[];
  /** Rows of a table or a list. */
  readonly rows?: number;
  readonly isAcross?: boolean;
}

export interface Outline {
  /** The labels of the strip of figures. */
  readonly figures?: readonly ReactNode[];
  /** They are beside the first panel. */
  readonly isBeside?: true;
  /** One below the other; several in one place are side by side. */
  readonly panels: readonly (OutlinePanel | readonly OutlinePanel[])[];
}

const ROWS = 5;
/** The line below a chart, in pixels. */
const AROUND_CHART = 30;

export function OutlineView({
  label,
  outline: { figures = [], isBeside, panels },
}: {
  label: string;
  outline: Outline;
}) {
  const [first] = panels;
  return (
    <div className="report-waits" aria-busy="true">
      <p className="visually-hidden" role="status" aria-label={label}>
        {label}
      </p>
      {/* For eyes alone, and only until the figures are there. */}
      <div className="report-skeleton" aria-hidden="true" inert>
        {figures.length > 0 && isBeside !== true && <Figures names={figures} />}
        {isBeside === true && first !== undefined && !isMany(first) && (
          <div className="figures-beside">
            <div className="figures-side">
              <Figures names={figures} />
            </div>
            <Panel {...first} folds />
          </div>
        )}
        {[...(isBeside === true ? panels.slice(1) : panels).entries()].map(([place, panel]) =>
          isMany(panel) ? (
            <div
              key={place}
              className={panel.length === 2 ? 'report-columns report-columns-wide' : 'report-columns'}
            >
              {[...panel.entries()].map(([column, one]) => (
                <Panel key={column} {...one} />
              ))}
            </div>
          ) : (
            <Panel key={place} {...panel} />
          ),
        )}
      </div>
    </div>
  );
}

const Figures = ({ names }: { names: readonly ReactNode[] }) => (
  <dl className="stat-strip card">
    {[...names.entries()].map(([place, name]) => (
      <Stat key={place} label={name} value={<Bar wide={4} />} note={<Bar wide={8} />} />
    ))}
  </dl>
);

const isMany = (panel: OutlinePanel | readonly OutlinePanel[]): panel is readonly OutlinePanel[] =>
  Array.isArray(panel);

interface PanelProps extends OutlinePanel {
  /** A phone has it folded away. */
  folds?: boolean;
}

function Panel({ title, about, chart, columns, rows = ROWS, isAcross = false, folds = false }: PanelProps) {
  return (
    <section className={isAcross ? 'card panel panel-across' : 'card panel'}>
      <header className="panel-head">
        <div>
          <h2>{title ?? <Bar wide={14} />}</h2>
          {about !== undefined && <p className="aside">{about}</p>}
        </div>
      </header>
      {chart !== undefined ? (
        <div
          className="chart-wait over-time-body"
          data-folded={folds}
          style={{ height: chart + AROUND_CHART }}
        />
      ) : columns === undefined ? (
        <ul className="rank-list">
          {places(rows).map((place) => (
            <li key={place}>
              <div>
                <Bar wide={10 + (place % 3) * 4} />
                <span className="cell-detail">
                  <Bar wide={7} />
                </span>
              </div>
              <span className="rank-figure number">
                <Bar wide={3} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <div className="table-card">
          <table className="table data-table">
            <thead>
              <tr>
                {columns.map(({ key, label, kind, rank }) => (
                  <th key={key} scope="col" className={`cell-${kind}`} data-rank={rank}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places(rows).map((place) => (
                <tr key={place}>
                  {columns.map(({ key, kind, rank }) => (
                    <td key={key} className={`cell-${kind}`} data-rank={rank}>
                      <Bar wide={kind === 'name' ? 12 + (place % 3) * 4 : 4} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const places = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** The place of a text. @param wide in digits */
function Bar({ wide }: { wide: number }) {
  return <span className="wait-bar" style={{ width: `${wide}ch` }} aria-hidden="true" />;
}
