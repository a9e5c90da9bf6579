import type { CSSProperties, ReactNode } from 'react';
import { LineSwatch, Swatch } from './Legend.tsx';

/** Where a tip is, above a bar. */
export interface TipPlace {
  /** The middle of the bar, and the width of the chart, in pixels. */
  readonly middle: number;
  readonly width: number;
  /** From the top of the chart to what must stay visible, in pixels. */
  readonly top: number;
}

interface ChartTipProps {
  /** `Mon 12 Oct`. */
  title: string;
  /** The day is not over. */
  isPartial?: boolean;
  /** null: below the chart, instead of its legend. */
  place: TipPlace | null;
  /** What a click on the bar does; absent: nothing. */
  does?: string | undefined;
  children: ReactNode;
}

const GAP = 10;
/** The largest width of a tip, in pixels: it hides nothing that is nearer to its bar. */
export const TIP_REACH = 190;

/** Whether a chart has no room for a tip beside the finger: what is above it has figures of its own, which a tip must not cover. */
export const isDocked = (width: number): boolean => width < 420;

/** The figures of the bar under the pointer or the arrow keys. For eyes only: the slider says the same. */
export function ChartTip({ title, isPartial = false, place, does, children }: ChartTipProps) {
  const style: CSSProperties | undefined =
    place === null
      ? undefined
      : {
          bottom: `calc(100% - ${place.top - GAP}px)`,
          left: place.middle,
          // At the left edge it begins at the bar, at the right edge it ends there: it never leaves the chart.
          transform: `translateX(-${((100 * place.middle) / place.width).toFixed(1)}%)`,
        };
  return (
    <div className="chart-tip number" data-docked={place === null} aria-hidden="true" style={style}>
      <p className="chart-tip-title">
        {title}
        {isPartial && <span className="tag">so far</span>}
      </p>
      <div className="chart-tip-rows">{children}</div>
      {does !== undefined && <p className="chart-tip-does quiet">{does}</p>}
    </div>
  );
}

interface TipRowProps {
  name: string;
  figure: string;
  /** After the figure, of what is compared: `↑ 60%`. */
  change?: string | null | undefined;
  /** The colour of a series; `null`: the line of the days compared with; absent: no sign. */
  paint?: string | null;
  /** It adds up the rows above it. */
  isTotal?: boolean;
}

export function TipRow({ name, figure, change = null, paint, isTotal = false }: TipRowProps) {
  return (
    <p className="chart-tip-row" data-total={isTotal}>
      <span className="chart-tip-sign">
        {paint === null ? <LineSwatch /> : paint !== undefined && <Swatch paint={paint} />}
      </span>
      <span className="chart-tip-name">{name}</span>
      <span className="chart-tip-figure">{figure}</span>
      <span className="chart-tip-change">{change}</span>
    </p>
  );
}
