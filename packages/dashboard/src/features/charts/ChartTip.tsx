import type { ReactNode } from 'react';
import { DashedLine, Swatch } from './Legend.tsx';

interface ChartTipProps {
  /** `12 Oct`. */
  title: string;
  /** The day is not over. */
  isPartial?: boolean;
  /** From the left of the chart to the bar and to its end, in pixels, and the width of the chart. */
  from: number;
  to: number;
  width: number;
  children: ReactNode;
}

const GAP = 10;

/** The figures of the bar under the pointer or the arrow keys, beside it. For eyes only: the slider says the same. */
export function ChartTip({ title, isPartial = false, from, to, width, children }: ChartTipProps) {
  const isLeft = from + to > width;
  return (
    <div
      className="chart-tip number"
      aria-hidden="true"
      style={isLeft ? { right: width - from + GAP } : { left: to + GAP }}
    >
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
  /** The colour of a series; `null`: the dashed line; absent: no sign. */
  paint?: string | null;
}

export function TipRow({ name, figure, paint }: TipRowProps) {
  return (
    <p className="chart-tip-row">
      {paint === null ? <DashedLine /> : paint !== undefined && <Swatch paint={paint} />}
      <span>{name}</span>
      <span>{figure}</span>
    </p>
  );
}
