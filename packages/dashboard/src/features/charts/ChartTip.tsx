import type { CSSProperties, ReactNode } from 'react';
import { DashedLine, Swatch } from './Legend.tsx';

interface ChartTipProps {
  /** `Mon 12 Oct`. */
  title: string;
  /** The day is not over. */
  isPartial?: boolean;
  /** The middle of the bar, and the width of the chart, in pixels. */
  middle: number;
  width: number;
  /** From the top of the chart to what must stay visible, in pixels. */
  top: number;
  children: ReactNode;
}

const GAP = 10;
/** Below this width of a chart they are above all bars: a finger and the bars beside it stay free. */
const NARROW = 420;
/** The largest width of a tip, in pixels: it hides nothing that is nearer to its bar. */
export const TIP_REACH = 190;

/** The figures of the bar under the pointer or the arrow keys, above it. For eyes only: the slider says the same. */
export function ChartTip({ title, isPartial = false, middle, width, top, children }: ChartTipProps) {
  const place: CSSProperties = {
    bottom: width < NARROW ? '100%' : `calc(100% - ${top - GAP}px)`,
    left: middle,
    // At the left edge it begins at the bar, at the right edge it ends there: it never leaves the chart.
    transform: `translateX(-${((100 * middle) / width).toFixed(1)}%)`,
  };
  return (
    <div className="chart-tip number" aria-hidden="true" style={place}>
      <p className="chart-tip-title">
        {title}
        {isPartial && <span className="tag">so far</span>}
      </p>
      {children}
    </div>
  );
}

interface TipRowProps {
  name: string;
  figure: string;
  /** Its change: `↑ 60%`. */
  change?: string | null | undefined;
  /** The colour of a series; `null`: the dashed line; absent: no sign. */
  paint?: string | null;
  /** It adds up the rows above it. */
  isTotal?: boolean;
}

export function TipRow({ name, figure, change = null, paint, isTotal = false }: TipRowProps) {
  return (
    <p className="chart-tip-row" data-total={isTotal}>
      {paint === null ? <DashedLine /> : paint !== undefined && <Swatch paint={paint} />}
      <span>{name}</span>
      <span className="chart-tip-change">{change}</span>
      <span>{figure}</span>
    </p>
  );
}
