import { area, curveMonotoneX, line } from 'd3-shape';

interface SparklineProps {
  values: readonly number[];
  /** The intent whose colour it has; `mixed`: of several; absent: that of AI bots. */
  of?: string;
  width?: number;
  height?: number;
}

/** Of the dot at its end, in pixels. */
const DOT = 2;

/** The shape of a trend beside its figure; the figure says what it adds up to. */
export function Sparkline({ values, of, width = 92, height = 24 }: SparklineProps) {
  const peak = Math.max(1, ...values);
  const at = (value: number, index: number): [number, number] => [
    values.length < 2 ? width / 2 : (index / (values.length - 1)) * (width - DOT - 1) + 0.5,
    height - DOT - (value / peak) * (height - 5),
  ];
  const points = values.map(at);
  const [endX, endY] = points.at(-1) ?? [0, 0];
  return (
    <svg
      className="sparkline"
      data-of={of}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <path
        className="sparkline-area"
        d={
          area<[number, number]>().curve(curveMonotoneX).y0(height)(points.map(([px, py]) => [px, py])) ?? ''
        }
      />
      <path className="sparkline-line" d={line().curve(curveMonotoneX)(points) ?? ''} />
      {points.length > 0 && <circle className="sparkline-end" cx={endX} cy={endY} r={DOT} />}
    </svg>
  );
}
