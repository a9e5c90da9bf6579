import { useId } from 'react';
import { BeforeCuts, BeforeLine } from './BeforeLine.tsx';
import { HALF_LETTER } from './labels.ts';
import { cutAbove, type Scales } from './scales.ts';
import { type Bar, type BarUnit, labelled, labelledHours, type Series } from './steps.ts';

/** Below this width of a chart, dates are closer to each other. */
const NARROW = 420;
const NARROW_EACH = 62;

interface BarsProps {
  bars: readonly Bar[];
  series: readonly Series[];
  scales: Scales;
  /** The bar under the pointer or the keyboard. */
  reading: number | null;
  tick: (value: number) => string;
  /** What the bars are compared with, by their place; null: no figure, or none that is drawn. */
  before: readonly (number | null)[];
  /** Their names: `25 Oct`. */
  beforeNames: readonly string[];
  /** The first of them whose bar is not over: from there on they are no measure of the bars. */
  fadesFrom?: number | undefined;
  unit: BarUnit;
}

/** Grid lines, bars and dates: the content of the chart's `<svg>`. */
export function Bars({
  bars,
  series,
  scales,
  reading,
  tick,
  before,
  beforeNames,
  fadesFrom,
  unit,
}: BarsProps) {
  const { left, width, height, ticks, top, barWidth, x, y } = scales;
  const middle = (index: number) => x(index) + barWidth / 2;
  // A picture of the chart is a document of its own, so the pattern is part of it.
  const stripes = `stripes${useId().replaceAll(/\W/g, '')}`;
  const [ground, ceiling] = [y(ticks[0] ?? 0), y(top)];
  const gap = bars.length > 1 ? x(1) - x(0) - barWidth : barWidth;
  // The last one ends at the edge, and so comes half its length nearer to the one before.
  const longest = Math.max(0, ...bars.map((bar) => dateOf(bar).length));
  const dated = (unit === 'hour' ? labelledHours : labelled)(
    bars.length,
    width - left,
    longest > 11 ? 126 : width < NARROW ? NARROW_EACH : undefined,
  );
  return (
    <>
      <defs>
        <pattern
          id={stripes}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path className="chart-stripe" d="M1 0V5" />
        </pattern>
      </defs>
      {reading !== null && bars[reading] !== undefined && (
        <path
          className="chart-column"
          d={`M${x(reading) - gap / 2} ${ceiling}h${barWidth + gap}V${ground}h${-barWidth - gap}z`}
        />
      )}
      {ticks.map((value) => (
        <g key={value} transform={`translate(0 ${y(value)})`}>
          <line className="chart-rule" data-zero={value === 0 && (ticks[0] ?? 0) < 0} x1={left} x2={width} />
          <text className="chart-text" x={left - 8} dy="0.32em" textAnchor="end">
            {tick(value)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        let [above, below] = [0, 0];
        return (
          <g key={bar.day} className="bar" data-read={reading === index} data-partial={bar.partial}>
            {series.map(({ key, paint }) => {
              const value = Number(bar.values[key] ?? 0);
              // What is below zero is stacked downwards.
              const [low, high] = value < 0 ? [below + value, below] : [above, above + value];
              if (value < 0) below = low;
              else above = high;
              const tall = y(low) - y(high);
              return tall > 0 ? (
                <rect
                  key={key}
                  data-paint={paint}
                  x={x(index)}
                  y={y(high)}
                  width={barWidth}
                  // A hairline separates the parts for readers who can't tell their colours apart.
                  height={low !== 0 && tall > 2 ? tall - 1 : tall}
                  rx={bars.length > 45 ? 0 : 1.5}
                />
              ) : null;
            })}
            {bar.partial && above - below > 0 && (
              <path
                className="bar-stripes"
                fill={`url(#${stripes})`}
                d={`M${x(index)} ${y(above)}h${barWidth}V${y(below)}h${-barWidth}z`}
              />
            )}
            {dated.has(index) && (
              <text
                className="chart-text"
                x={Math.min(middle(index), width - dateOf(bar).length * HALF_LETTER)}
                y={height - 4}
                textAnchor="middle"
              >
                {dateOf(bar)}
              </text>
            )}
          </g>
        );
      })}
      {before.length > 0 && <BeforeLine points={cutAbove(before, top)} {...{ fadesFrom, middle, y }} />}
      <BeforeCuts
        values={before}
        {...{ top, left, width, middle, y, tick }}
        nameOf={(at) => beforeNames[at] ?? ''}
      />
    </>
  );
}

/** Below a bar: a week is named by its first day. */
const dateOf = ({ label }: Bar): string => label.replace('Week of ', '');
