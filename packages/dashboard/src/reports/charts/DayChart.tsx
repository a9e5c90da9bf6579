import { scaleBand, scaleLinear } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { shortCount } from '../common/figures.ts';
import { FiguresTable } from './FiguresTable.tsx';
import { Legend } from './Legend.tsx';
import { Readout } from './Readout.tsx';
import { type Bar, barsOf, labelled, type Point } from './steps.ts';
import { useWidth } from './useWidth.ts';

export interface Series {
  readonly key: string;
  readonly name: string;
  /** Names its colour in `charts.css`. */
  readonly paint: string;
}

interface DayChartProps {
  /** What is counted: `AI bot hits`. */
  title: string;
  points: readonly Point[];
  /** Stacked in this order, the first at the bottom. */
  series: readonly Series[];
  height?: number;
  /** A figure as it is read; counts when left out. */
  format?: (value: number) => string;
}

const TICKS = 3;
const BELOW = 20;
const LEFT = 40;

/**
 * Stacked bars, one a day. What is under the pointer, or under the arrow keys, is read above the chart, its parts in the legend; the table
 * below holds all of them.
 */
export function DayChart({ title, points, series, height = 190, format = countOf }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<string | null>(null);
  const [reading, setReading] = useState<number | null>(null);
  const bars = useMemo(() => barsOf(points), [points]);
  const totalOf = (key: string) => points.reduce((sum, { values }) => sum + (values[key] ?? 0), 0);
  const occurring = series.filter(({ key }) => totalOf(key) > 0);
  // With other filters the chosen one may be gone.
  const alone = occurring.some(({ key }) => key === chosen) ? chosen : null;
  const shown = series.filter(({ key }) => alone === null || key === alone);
  const sumOf = (values: Readonly<Record<string, number>>) =>
    shown.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ values }) => sumOf(values)))])
    .nice(TICKS)
    .range([height - BELOW, 6]);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([LEFT, Math.max(LEFT + 1, width)])
    .paddingInner(bars.length > 45 ? 0.12 : bars.length > 14 ? 0.24 : 0.5);
  const dated = labelled(bars.length, width - LEFT);
  const barAt = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const at = clientX - currentTarget.getBoundingClientRect().left - LEFT;
    return at < 0 ? null : Math.min(bars.length - 1, Math.floor(at / x.step()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = bars.length - 1;
    const from = reading ?? last + 1;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setReading(Math.max(0, Math.min(last, to)));
  };
  const read = reading === null ? undefined : bars[reading];
  const grows = bars.some(({ partial, values }) => partial && sumOf(values) > 0);
  const legendFigures = (key: string) => ({
    total: format(totalOf(key)),
    reading: read === undefined ? null : format(read.values[key] ?? 0),
  });
  const spoken = (bar: Bar | undefined) =>
    bar === undefined
      ? 'nothing to read'
      : [
          `${bar.label}${bar.partial ? ', so far' : ''}: ${format(sumOf(bar.values))}`,
          ...shown.map(({ key, name }) => `${name} ${format(bar.values[key] ?? 0)}`),
        ].join('; ');
  return (
    <figure className="day-chart">
      <Readout hint={`${title} a day`}>
        {read !== undefined && (
          <>
            <strong>{read.label}</strong>
            {read.partial && <span className="tag">so far</span>}
            <span>{format(sumOf(read.values))}</span>
          </>
        )}
      </Readout>
      {/* To a screen reader the chart is a slider over its bars: the arrow keys read one after the other. */}
      <div
        ref={box}
        className="day-chart-box"
        role="slider"
        tabIndex={0}
        aria-label={`${title} a day`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={reading ?? bars.length - 1}
        aria-valuetext={spoken(read ?? bars.at(-1))}
        onKeyDown={onKeyDown}
        onBlur={() => setReading(null)}
      >
        {width > 0 && (
          <svg
            width={width}
            height={height}
            aria-hidden="true"
            onPointerDown={(event) => setReading(barAt(event))}
            onPointerMove={(event) => setReading(barAt(event))}
            onPointerLeave={() => setReading(null)}
          >
            {y.ticks(TICKS).map((tick) => (
              <g key={tick} transform={`translate(0 ${y(tick)})`}>
                <line className="chart-rule" x1={LEFT} x2={width} />
                <text className="chart-text" x={LEFT - 8} dy="0.32em" textAnchor="end">
                  {shortCount(tick)}
                </text>
              </g>
            ))}
            {bars.map((bar, index) => {
              let from = 0;
              return (
                <g key={bar.day} className="bar" data-read={reading === index} data-partial={bar.partial}>
                  {shown.map(({ key, paint }) => {
                    const value = bar.values[key] ?? 0;
                    const [low, high] = [from, from + value];
                    from = high;
                    const tall = y(low) - y(high);
                    return tall > 0 ? (
                      <rect
                        key={key}
                        data-paint={paint}
                        x={x(index)}
                        y={y(high)}
                        width={Math.max(1, x.bandwidth())}
                        // A hairline between the parts tells them apart without their colours.
                        height={low > 0 && tall > 2 ? tall - 1 : tall}
                        rx={bars.length > 45 ? 0 : 1.5}
                      />
                    ) : null;
                  })}
                  {dated.has(index) && (
                    <text
                      className="chart-text"
                      x={(x(index) ?? 0) + x.bandwidth() / 2}
                      y={height - 4}
                      textAnchor={index === bars.length - 1 && bars.length > 8 ? 'end' : 'middle'}
                    >
                      {bar.label.replace('Week of ', '')}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      {(series.length > 1 || grows) && (
        <Legend
          entries={series.length > 1 ? occurring.map((one) => ({ ...one, ...legendFigures(one.key) })) : []}
          alone={alone}
          onAlone={(key) => setChosen(key === alone ? null : key)}
          grows={grows}
        />
      )}
      <FiguresTable title={title} bars={bars} series={series} format={format} />
    </figure>
  );
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const countOf = (value: number): string => WHOLE.format(value);
