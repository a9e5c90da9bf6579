import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { changeText } from '../../format/change.ts';
import { counted } from '../../format/names.ts';
import { weekdayLabel } from '../../format/time.ts';
import { Bars } from './Bars.tsx';
import { ChartFiles } from './ChartFiles.tsx';
import { ChartFoot } from './ChartFoot.tsx';
import { ChartTip, TIP_REACH, TipRow } from './ChartTip.tsx';
import { FiguresTable, tableOf } from './FiguresTable.tsx';
import { Legend } from './Legend.tsx';
import { layOut } from './scales.ts';
import {
  addNumbers,
  type Bar,
  type BarUnit,
  type BeforeBar,
  beforeSum,
  type ChartProps,
  countOf,
  heightOf,
  LEAST_COMPARED,
  type Point,
  shortCount,
  signed,
} from './steps.ts';
import { useWidth } from './useWidth.ts';

interface TimeBarsProps extends ChartProps {
  bars: readonly Bar[];
  unit: BarUnit;
  /** What the bars are compared with, by their place. */
  before?: readonly BeforeBar[];
  /** What they are called: `1 – 21 Oct 2026`. */
  beforeName?: string;
  /** `05:00`: where their line is longer than what is added up. */
  beforeUntil?: string | undefined;
}

/**
 * Stacked bars over time. The figures of the bar under the pointer or the arrow keys are above it; the table below holds all of them.
 * A click opens a bar, a drag the bars that it passes.
 */
export function TimeBars({
  title,
  note,
  bars,
  unit,
  series,
  height = 190,
  format = countOf,
  tick = shortCount,
  add = addNumbers,
  also = [],
  before = [],
  beforeName = '',
  beforeUntil,
  isTotalled = false,
  onNarrow,
}: TimeBarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<string | null>(null);
  const [reading, setReading] = useState<number | null>(null);
  /** The bar at which a drag began. */
  const [dragged, setDragged] = useState<number | null>(null);
  const totalOf = (key: string) => add(bars.map(({ values }) => values[key] ?? 0));
  const told = ({ values, estimated }: Point, key: string) =>
    signed(format(values[key] ?? 0), estimated?.[key]);
  const occurring = series.filter(({ key }) => bars.some(({ values }) => Number(values[key] ?? 0) !== 0));
  // With other filters the chosen series may not exist.
  const alone = occurring.some(({ key }) => key === chosen) ? chosen : null;
  const shown = series.filter(({ key }) => alone === null || key === alone);
  // The one on top first, as in the bar; what no bar has is no row.
  const drawn = shown.filter((one) => occurring.includes(one));
  const sumOf = ({ values }: Bar) => add(shown.map(({ key }) => values[key] ?? 0));
  const keys = shown.map(({ key }) => key);
  const compared = before.slice(0, bars.length).map((bar) => beforeSum(bar, keys, alone === null, add));
  const known = compared
    .filter((_, index) => before[index]?.isBeyond !== true)
    .filter((value) => value !== null);
  const line = compared.map(heightOf);
  const isDrawn = line.some((value) => value !== null);
  const scales = layOut({ bars, keys, line, width, height });
  const open = (first: Bar | undefined, last = first) => {
    if (onNarrow === undefined || first === undefined || last === undefined) return;
    setReading(null);
    onNarrow(first.day, last.last);
  };
  const barAt = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement> | MouseEvent<SVGSVGElement>) =>
    scales.indexAt(clientX - currentTarget.getBoundingClientRect().left);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = bars.length - 1;
    const from = reading ?? last + 1;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined && !(event.key === 'Enter' && reading !== null)) return;
    event.preventDefault();
    if (to === undefined) open(bars[reading ?? -1]);
    else setReading(Math.max(0, Math.min(last, to)));
  };
  const named = `${title} per ${unit}`;
  const read = reading === null ? undefined : bars[reading];
  const growing = bars.filter((bar) => bar.partial && Number(sumOf(bar)) > 0).length;
  const toldTotal = (key: string) =>
    signed(
      format(totalOf(key)),
      bars.reduce((sum, { estimated }) => sum + (estimated?.[key] ?? 0), 0),
    );
  const toldSum = (bar: Bar) =>
    signed(
      format(sumOf(bar)),
      shown.reduce((sum, { key }) => sum + (bar.estimated?.[key] ?? 0), 0),
    );
  // A day that is not over is compared with none, so both sums are of different lengths. Of hours the name says it.
  const isShorter = unit !== 'hour' && known.length < bars.length;
  const toldBefore = `${format(add(known))}${isShorter ? ` in ${counted(known.length, unit)}` : beforeUntil === undefined ? '' : ` until ${beforeUntil}`}`;
  const beforeOf = (index: number) => {
    const [value, bar] = [compared[index] ?? null, before[index]];
    if (value === null || bar === undefined) return null;
    const now = bars[index];
    const change = now === undefined || now.partial ? null : changeOf(Number(sumOf(now)), Number(value));
    return { label: bar.label, figure: format(value), change };
  };
  const compares = reading === null ? null : beforeOf(reading);
  const middleOf = (index: number) => scales.x(index) + scales.barWidth / 2;
  /** The highest point near a bar, so that its figures hide no other bar. */
  const topAround = (index: number) => {
    const isNear = (_: unknown, other: number) => Math.abs(middleOf(other) - middleOf(index)) < TIP_REACH;
    return scales.y(
      Math.max(
        0,
        ...bars.filter(isNear).map((bar) => Number(sumOf(bar))),
        ...line.filter(isNear).map((value) => value ?? 0),
      ),
    );
  };
  const spoken = (bar: Bar | undefined) =>
    bar === undefined
      ? 'no data'
      : bar.isAhead === true
        ? `${bar.label}: no data yet`
        : [
            `${bar.label}${bar.partial ? ', so far' : ''}: ${toldSum(bar)}`,
            ...shown.map(({ key, name }) => `${name} ${told(bar, key)}`),
            ...[beforeOf(bars.indexOf(bar))].flatMap((other) =>
              other === null ? [] : [`compared with ${other.label}: ${joined(other.figure, other.change)}`],
            ),
          ].join('; ');
  return (
    <figure className="day-chart">
      {/* A screen reader gets a slider over the bars: the arrow keys move from bar to bar. */}
      <div
        ref={box}
        className="day-chart-box"
        role="slider"
        tabIndex={0}
        aria-label={named}
        aria-description={onNarrow === undefined ? undefined : `Press Enter to show only this ${unit}`}
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
            data-opens={onNarrow !== undefined}
            onPointerDown={(event) => {
              setReading(barAt(event));
              if (onNarrow !== undefined && event.pointerType === 'mouse') setDragged(barAt(event));
            }}
            onPointerMove={(event) => setReading(barAt(event))}
            onPointerLeave={() => {
              setReading(null);
              setDragged(null);
            }}
            onClick={(event) => {
              setDragged(null);
              // A touch shows the figures; it must not open the day.
              if (event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType !== 'mouse')
                return;
              const at = barAt(event) ?? -1;
              const from = dragged ?? at;
              open(bars[Math.min(from, at)], bars[Math.max(from, at)]);
            }}
          >
            {dragged !== null && reading !== null && reading !== dragged && (
              <rect
                className="chart-selection"
                x={scales.x(Math.min(dragged, reading))}
                y={0}
                width={
                  scales.x(Math.max(dragged, reading)) -
                  scales.x(Math.min(dragged, reading)) +
                  scales.barWidth
                }
                height={height}
              />
            )}
            <Bars {...{ bars, scales, reading, tick, unit }} series={shown} before={line} />
          </svg>
        )}
        {read !== undefined && reading !== null && (
          <ChartTip
            title={unit === 'day' ? weekdayLabel(read.day) : read.label}
            isPartial={read.partial}
            middle={middleOf(reading)}
            width={width}
            top={topAround(reading)}
          >
            {read.isAhead === true ? (
              <p className="quiet">no data yet</p>
            ) : (
              <>
                {drawn.toReversed().map(({ key, name, paint }) => (
                  <TipRow key={key} name={name} figure={told(read, key)} paint={paint} />
                ))}
                {drawn.length > 1 && (
                  <TipRow name="Total" figure={toldSum(read)} change={compares?.change} isTotal />
                )}
              </>
            )}
            {compares !== null && (
              <TipRow
                name={`vs ${besideOf(read, compares.label)}`}
                // With a total, the change is beside it.
                figure={compares.figure}
                change={drawn.length > 1 ? null : compares.change}
                paint={null}
              />
            )}
          </ChartTip>
        )}
      </div>
      <ChartFoot
        legend={
          (series.length > 1 || known.length > 0 || isDrawn) && (
            <Legend
              entries={
                series.length > 1
                  ? occurring.map((one) => ({ ...one, total: isTotalled ? null : toldTotal(one.key) }))
                  : []
              }
              alone={alone}
              onAlone={(key) => setChosen(key === alone ? null : key)}
              before={
                known.length === 0 && !isDrawn
                  ? null
                  : { name: beforeName, total: known.length === 0 ? null : toldBefore, isDrawn }
              }
            />
          )
        }
        notes={[note, growingText(growing)]}
      >
        <FiguresTable
          title={title}
          unit={unit}
          bars={bars}
          before={before}
          series={series}
          also={also}
          format={format}
          add={add}
        />
        <ChartFiles
          title={named}
          box={box}
          legend={[
            ...occurring.map(({ name, paint }) => ({ name, paint })),
            ...(isDrawn ? [{ name: beforeName, paint: null }] : []),
          ]}
          table={() => tableOf({ unit, bars, before, series, also, add })}
        />
      </ChartFoot>
    </figure>
  );
}

/** What a bar is compared with, without the year where it is the bar's own. */
const besideOf = (bar: Bar | undefined, label: string): string =>
  label.replace(` ${bar?.day.slice(0, 4)}`, '');

const joined = (figure: string, change: string | null): string =>
  change === null ? figure : `${figure}, ${change}`;

/** `↑ 78%`; null: there was too little. */
function changeOf(now: number, before: number): string | null {
  if (before < LEAST_COMPARED) return null;
  const change = now / before - 1;
  return `${change > 0 ? '↑ ' : change < 0 ? '↓ ' : ''}${changeText(change)}`;
}

/** Why bars are lighter. @param count how many are */
function growingText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? 'The faded bar is in progress' : 'Faded bars are in progress';
}
