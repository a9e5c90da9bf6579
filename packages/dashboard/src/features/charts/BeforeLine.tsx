/** The line of the days compared with, over bars or beside another line. */
import { HALF_LETTER } from './labels.ts';
import { cutOff, type LinePoint } from './scales.ts';

interface BeforeLineProps {
  /** The first whose bar is not over. */
  fadesFrom?: number | undefined;
  points: readonly (LinePoint | null)[];
  middle: (at: number) => number;
  y: (value: number) => number;
}

/** With an edge of the colour of the card: on a bar it would else be lost. */
export function BeforeLine({ points, fadesFrom = Number.POSITIVE_INFINITY, middle, y }: BeforeLineProps) {
  const drawn = (isShown: (at: number) => boolean) =>
    lineOf(
      points.map((point) => (point !== null && isShown(point.at) ? point : null)),
      middle,
      y,
    );
  const line = drawn((at) => at <= fadesFrom);
  return (
    <>
      <path className="chart-before-edge" d={line} />
      <path className="chart-before" d={line} />
      {fadesFrom < Number.POSITIVE_INFINITY && (
        <path className="chart-before" data-faded="true" d={drawn((at) => at >= fadesFrom)} />
      )}
    </>
  );
}

interface BeforeCutsProps extends Pick<BeforeLineProps, 'middle' | 'y'> {
  /** By their place; null: not known. */
  values: readonly (number | null)[];
  /** What is above it is cut off. */
  top: number;
  left: number;
  width: number;
  tick: (value: number) => string;
  /** The day of a place: `25 Oct`. */
  nameOf: (at: number) => string;
}

/** Where the line leaves the chart: for each peak one arrow head, and above it its day, which the axis does not have, and its figure. */
export function BeforeCuts({ values, top, left, width, middle, y, tick, nameOf }: BeforeCutsProps) {
  return cutOff(values, top).map(({ at, value }) => {
    const text = `Earlier period, ${nameOf(at)}: ${tick(value)}`;
    const half = text.length * HALF_LETTER;
    return (
      <g key={at}>
        <path
          className="chart-before-cut"
          d={`M${middle(at).toFixed(1)} ${(y(top) - 1).toFixed(1)}l4 6h-8z`}
        />
        <text
          className="chart-text chart-cut"
          x={Math.min(width - half, Math.max(left + half, middle(at)))}
          y={y(top) - 6}
          textAnchor="middle"
        >
          {text}
        </text>
      </g>
    );
  });
}

/** A line through what is known, with a gap elsewhere; alone, a figure is a short dash. */
export function lineOf(
  points: readonly (LinePoint | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isDrawing = false;
  return points
    .map((point, index) => {
      if (point === null) {
        isDrawing = false;
        return '';
      }
      const place = `${x(point.at).toFixed(1)},${y(point.value).toFixed(1)}`;
      const isAlone = !isDrawing && (points[index + 1] ?? null) === null;
      const step = isAlone ? `M${place}m-6,0h12` : `${isDrawing ? 'L' : 'M'}${place}`;
      isDrawing = true;
      return step;
    })
    .join('');
}
