import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { changeText } from '../../format/change.ts';
import { counted } from '../../format/names.ts';
import { dayLabel, weekdayLabel } from '../../format/time.ts';
import { Bars } from './Bars.tsx';
import { ChartFiles, STRIPES } from './ChartFiles.tsx';
import { ChartFoot } from './ChartFoot.tsx';
import { ChartData } from './ChartHead.tsx';
import { ChartTip, isDocked, TIP_REACH, TipRow } from './ChartTip.tsx';
import { FiguresTable, tableOf } from './FiguresTable.tsx';
import { GROWING, Legend } from './Legend.tsx';
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
  /** What was read before a finger came: a second tap on a bar opens it. */
  const readBefore = useRef<number | null>(null);
  const [isTouched, setTouched] = useState(false);
  const totalOf = (key: string) => add(bars.map(({ values }) => values[key] ?? 0));
  const told = ({ values, estimated }: Point, key: string) =>
    signed(format(values[key] ?? 0), estimated?.[key]);
  const occurring = series.filter(({ key }) => bars.some(({ values }) => Number(values[key] ?? 0) !== 0));
  // With other filters the chosen series may not exist.
  const alone = occurring.some(({ key }) => key === chosen) ? chosen : null;
  const shown = series.filter(({ key }) => alone === null || key === alone);
  // In the order of the legend; what no bar has is no row.
  const drawn = shown.filter((one) => occurring.includes(one));
  const sumOf = ({ values }: Bar) => add(shown.map(({ key }) => values[key] ?? 0));
  const keys = shown.map(({ key }) => key);
  const compared = before.slice(0, bars.length).map((bar) => beforeSum(bar, keys, alone === null, add));
  const known = compared
    .filter((_, index) => before[index]?.isBeyond !== true)
    .filter((value) => value !== null);
  const line = compared.map(heightOf);
  const isDrawn = line.some((value) => value !== null);
  const beyond = before.findIndex(({ isBeyond }) => isBeyond === true);
  const fadesFrom = beyond < 0 ? undefined : beyond;
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
  // What is alone adds up to what the page says besides.
  const isSaid = isTotalled || occurring.length === 1;
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
  const toldBefore = `${format(add(known))}${isShorter ? ` in ${counted(known.length, unit)}` : beforeUntil === undefined ? '' : ` by ${beforeUntil}, faded after`}`;
  const beforeOf = (index: number) => {
    const [value, bar] = [compared[index] ?? null, before[index]];
    if (value === null || bar === undefined) return null;
    const now = bars[index];
    const change = now === undefined || now.partial ? null : changeOf(Number(sumOf(now)), Number(value));
    return { ...bar, figure: format(value), change };
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
  /** What opens the bar that is read. */
  const does =
    onNarrow === undefined
      ? undefined
      : `${isTouched || isDocked(width) ? 'Tap again' : 'Click'} to open this ${unit}`;
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
  const tip = read !== undefined && reading !== null && (
    <ChartTip
      title={unit === 'day' ? weekdayLabel(read.day) : read.label}
      isPartial={read.partial}
      place={isDocked(width) ? null : { middle: middleOf(reading), width, top: topAround(reading) }}
      does={read.isAhead === true ? undefined : does}
    >
      {read.isAhead === true ? (
        <p className="quiet">no data yet</p>
      ) : (
        <>
          {drawn.map(({ key, name, paint }) => (
            <TipRow key={key} name={name} figure={told(read, key)} paint={paint} />
          ))}
          {drawn.length !== 1 && <TipRow name="Total" figure={toldSum(read)} isTotal />}
        </>
      )}
      {compares !== null && (
        <TipRow
          name={`vs ${besideOf(read, compares)}`}
          figure={compares.figure}
          paint={null}
          change={compares.change}
        />
      )}
    </ChartTip>
  );
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
              readBefore.current = reading;
              setTouched(event.pointerType === 'touch');
              setReading(barAt(event));
              if (onNarrow !== undefined && event.pointerType === 'mouse') setDragged(barAt(event));
            }}
            onPointerMove={(event) => setReading(barAt(event))}
            onPointerLeave={({ pointerType }) => {
              // A finger that is lifted leaves the figures there, until it taps elsewhere.
              if (pointerType !== 'touch') setReading(null);
              setDragged(null);
            }}
            onClick={(event) => {
              setDragged(null);
              const at = barAt(event) ?? -1;
              // A touch shows the figures; only a second one opens the day.
              const isMouse =
                !(event.nativeEvent instanceof PointerEvent) || event.nativeEvent.pointerType === 'mouse';
              if (!isMouse && readBefore.current !== at) return;
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
            <Bars
              {...{ bars, scales, reading, tick, unit, fadesFrom }}
              series={shown}
              before={line}
              beforeNames={before.map(({ day, label }) => (day === undefined ? label : dayLabel(day)))}
            />
          </svg>
        )}
        {!isDocked(width) && tip}
      </div>
      <ChartFoot
        legend={
          (series.length > 1 || known.length > 0 || isDrawn || growing > 0) && (
            <Legend
              entries={
                series.length > 1
                  ? occurring.map((one) => ({ ...one, total: isSaid ? null : toldTotal(one.key) }))
                  : []
              }
              alone={alone}
              onAlone={(key) => setChosen(key === alone ? null : key)}
              before={
                known.length === 0 && !isDrawn
                  ? null
                  : { name: beforeName, total: known.length === 0 ? null : toldBefore, isDrawn }
              }
              isGrowing={growing > 0}
            />
          )
        }
        notes={[note]}
        over={isDocked(width) && tip}
      />
      <ChartData
        files={
          <ChartFiles
            title={named}
            box={box}
            legend={[
              ...occurring.map(({ name, paint }) => ({ name, paint })),
              ...(isDrawn ? [{ name: beforeName, paint: null }] : []),
              ...(growing > 0 ? [{ name: GROWING, paint: STRIPES }] : []),
            ]}
            table={() => tableOf({ unit, bars, before, series, also, add })}
          />
        }
      >
        <FiguresTable {...{ title, unit, bars, before, series, also, format, add }} />
      </ChartData>
    </figure>
  );
}

/** What a bar is compared with: a day with its weekday, and no year where it is the bar's own. */
function besideOf(bar: Bar | undefined, { label, day }: BeforeBar): string {
  const year = ` ${(day ?? bar?.day ?? '').slice(0, 4)}`;
  const isOfYear = year.trim() === bar?.day.slice(0, 4);
  if (day === undefined) return label.replace(year, '');
  return `${weekdayLabel(day)}${isOfYear ? '' : year}`;
}

const joined = (figure: string, change: string | null): string =>
  change === null ? figure : `${figure}, ${change}`;

/** `↑ 78%`; null: there was too little. */
function changeOf(now: number, before: number): string | null {
  if (before < LEAST_COMPARED) return null;
  const change = now / before - 1;
  return `${change > 0 ? '↑ ' : change < 0 ? '↓ ' : ''}${changeText(change)}`;
}
