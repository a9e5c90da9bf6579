/** The title row of a chart's card: at its end, in every card, are the chart's figures as a table and as files. */
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconTable } from '../../parts/icons.tsx';
import './chart-files.css';

/** Where they go; null: not drawn yet; undefined: the chart has no title row, and is below them. */
const PlaceContext = createContext<HTMLElement | null | undefined>(undefined);
const PlacedContext = createContext<(place: HTMLElement | null) => void>(() => undefined);

/** Around a chart and its title row, which has a `ChartTools` at its end. */
export function ChartRoom({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <PlacedContext value={setPlace}>
      <PlaceContext value={place}>{children}</PlaceContext>
    </PlacedContext>
  );
}

/** The end of a title row. */
export function ChartTools() {
  return <span className="chart-tools" ref={useContext(PlacedContext)} />;
}

interface ChartPanelProps {
  label: string;
  className?: string;
  /** The title row: a heading, and what there is to choose. */
  head: ReactNode;
  children: ReactNode;
}

/** A chart in a card of its own. */
export function ChartPanel({ label, className = '', head, children }: ChartPanelProps) {
  return (
    <ChartRoom>
      <section className={`card panel ${className}`} aria-label={label}>
        <header className="panel-head chart-head">
          {head}
          <ChartTools />
        </header>
        {children}
      </section>
    </ChartRoom>
  );
}

interface ChartDataProps {
  /** The button of its files. */
  files: ReactNode;
  /** The table. */
  children: ReactNode;
}

/** The table of a chart, below it once it is asked for, with the buttons for both forms of its figures. */
export function ChartData({ files, children }: ChartDataProps) {
  const place = useContext(PlaceContext);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const buttons = (
    <>
      <button
        type="button"
        className="show-data"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        title={isOpen ? undefined : 'The figures of this chart as a table'}
        onClick={() => setOpen(!isOpen)}
      >
        <IconTable />
        <span>{isOpen ? 'Hide data' : 'Show data'}</span>
      </button>
      {files}
    </>
  );
  return (
    <>
      {place === undefined ? (
        <div className="chart-tools">{buttons}</div>
      ) : (
        place !== null && createPortal(buttons, place)
      )}
      {isOpen && (
        <div id={id} className="chart-figures">
          {children}
        </div>
      )}
    </>
  );
}
