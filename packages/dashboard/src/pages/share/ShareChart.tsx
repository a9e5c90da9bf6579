import { scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type PointerEvent, useRef, useState } from 'react';
import { BeforeCuts, BeforeLine } from '../../features/charts/BeforeLine.tsx';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { ChartFoot } from '../../features/charts/ChartFoot.tsx';
import { ChartData } from '../../features/charts/ChartHead.tsx';
import { ChartTip, isDocked, TIP_REACH, TipRow } from '../../features/charts/ChartTip.tsx';
import { BeforeEntry, GROWING } from '../../features/charts/Legend.tsx';
import { ABOVE_CUT, cutAbove, cutOff, peakOf } from '../../features/charts/scales.ts';
import { countOf, labelled } from '../../features/charts/steps.ts';
import { useWidth } from '../../features/charts/useWidth.ts';
import { shareText, shareTick } from '../../features/reports/figures.ts';
import { dayLabel, weekdayLabel } from '../../format/time.ts';
import type { DayShare } from './SliceList.tsx';

type DayPoint = DayShare & { readonly day: string; readonly partial: boolean };
type Known = DayPoint & { readonly share: number; readonly low: number; readonly high: number };

const HEIGHT = 190;
const BELOW = 20;
const LEFT = 48;
const TICKS = 3;

/** A day of the period compared with. */
interface EarlierDay {
  readonly day: string;
  readonly share: number | null;
}

interface ShareChartProps {
  days: readonly DayPoint[];
  /** The days compared with: the first belongs to the first day. null: nothing is compared, or it is not known yet. */
  before: { readonly name: string; readonly days: readonly EarlierDay[] } | null;
  /** Opens a day. */
  onNarrow: (from: string, to: string) => void;
}

/** The share with its 95% confidence interval as a band; a day without enough samples is a gap, not a zero. */
export function ShareChart({ days, before, onNarrow }: ShareChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [reading, setReading] = useState<number | null>(null);
  const known = (day: DayPoint): day is Known => day.share !== null && day.low !== null && day.high !== null;
  const earlier = (before?.days ?? []).slice(0, days.length);
  const highest = Math.max(0.001, ...days.filter(known).map(({ high }) => high));
  const then = earlier.map(({ share }) => share);
  // A spike of the earlier line would press the shares flat: it is cut off, as over bars.
  const top =
    1.05 *
    Math.max(
      highest,
      peakOf(
        then.filter((share) => share !== null),
        highest,
      ),
    );
  const cuts = cutOff(then, top);
  const y = scaleLinear()
    .domain([0, top])
    .range([HEIGHT - BELOW, cuts.length > 0 ? ABOVE_CUT : 8]);
  const x = scalePoint<number>()
    .domain(days.map((_, index) => index))
    .range([LEFT, Math.max(LEFT + 1, width - 6)]);
  const at = (index: number) => x(index) ?? LEFT;
  const unknown = days.length - days.filter(known).length;
  const dated = labelled(days.length, width - LEFT);
  const read = reading === null ? undefined : days[reading];
  const indexed = days.map((day, index) => ({ day, index }));
  const has = ({ day }: { day: DayPoint }) => known(day);
  /** A single day between gaps has no band: its interval is drawn as a line. */
  const isAlone = ({ day, index }: (typeof indexed)[number]) => {
    const isGap = (neighbour: DayPoint | undefined) => neighbour === undefined || !known(neighbour);
    return known(day) && isGap(days[index - 1]) && isGap(days[index + 1]);
  };
  const last = days.length - 1;
  const open = (day: DayPoint | undefined) => {
    if (day !== undefined && days.length > 1) onNarrow(day.day, day.day);
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setReading(Math.max(0, Math.min(last, Math.round((px - LEFT) / Math.max(x.step(), 1)))));
  };
  /** The highest point near a day, so that its figures hide no other. */
  const topAround = (index: number) =>
    y(
      Math.max(
        ...days
          .filter((_, other) => Math.abs(at(other) - at(index)) < TIP_REACH)
          .map(({ high }) => high ?? 0),
      ),
    );
  const say = (day: DayPoint | undefined) =>
    day === undefined
      ? ''
      : known(day)
        ? day.denominator === 'counted'
          ? `${shareText(day.share)}, counted`
          : `${shareText(day.share)}, 95% confidence: ${shareText(day.low)} to ${shareText(day.high)}`
        : 'too few samples';
  const other = reading === null ? undefined : earlier[reading];
  const tip = read !== undefined && reading !== null && (
    <ChartTip
      title={weekdayLabel(read.day)}
      isPartial={read.partial}
      place={isDocked(width) ? null : { middle: at(reading), width, top: topAround(reading) }}
      does={days.length > 1 && !isDocked(width) ? 'Click to open this day' : undefined}
    >
      {known(read) ? (
        <>
          <TipRow name="Share" figure={shareText(read.share)} />
          {read.denominator === 'counted' ? (
            <p className="quiet">counted</p>
          ) : (
            <TipRow name="95% confidence" figure={`${shareText(read.low)} – ${shareText(read.high)}`} />
          )}
        </>
      ) : (
        <p className="quiet">too few samples</p>
      )}
      {read.denominator !== 'counted' && <TipRow name="Samples" figure={countOf(read.samples)} />}
      {other !== undefined && other.share !== null && (
        <TipRow name={`vs ${weekdayLabel(other.day)}`} figure={shareText(other.share)} paint={null} />
      )}
    </ChartTip>
  );
  return (
    <figure className="day-chart">
      <div
        ref={box}
        className="day-chart-box"
        role="slider"
        tabIndex={0}
        aria-label="Share of AI bots per day"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={reading ?? last}
        aria-valuetext={`${dayLabel((read ?? days[last])?.day ?? '')}: ${say(read ?? days[last])}`}
        onKeyDown={(event) => {
          if (event.key === 'Enter') return open(read);
          const from = reading ?? last + 1;
          const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          setReading(Math.max(0, Math.min(last, to)));
        }}
        onBlur={() => setReading(null)}
      >
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            aria-hidden="true"
            data-opens={days.length > 1}
            onPointerDown={move}
            onPointerMove={move}
            onPointerLeave={() => setReading(null)}
            onClick={({ nativeEvent }) => {
              // A touch shows the figures; it must not open the day.
              if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'mouse') open(read);
            }}
          >
            {reading !== null && <path className="chart-column" d={columnOf(at(reading), x.step())} />}
            {y.ticks(TICKS).map((tick) => (
              <g key={tick} transform={`translate(0 ${y(tick)})`}>
                <line className="chart-rule" x1={LEFT} x2={width} />
                <text className="chart-text" x={LEFT - 8} dy="0.32em" textAnchor="end">
                  {shareTick(tick)}
                </text>
              </g>
            ))}
            <path
              className="share-band"
              d={
                area<(typeof indexed)[number]>()
                  .defined(has)
                  .x(({ index }) => at(index))
                  .y0(({ day }) => y(day.low ?? 0))
                  .y1(({ day }) => y(day.high ?? 0))(indexed) ?? ''
              }
            />
            <BeforeLine points={cutAbove(then, top)} middle={at} y={y} />
            <BeforeCuts
              values={then}
              top={top}
              left={LEFT}
              width={width}
              middle={at}
              y={y}
              tick={shareText}
              nameOf={(index) => dayLabel(earlier[index]?.day ?? '')}
            />
            <path
              className="share-line"
              d={
                line<(typeof indexed)[number]>()
                  .defined(has)
                  .x(({ index }) => at(index))
                  .y(({ day }) => y(day.share ?? 0))(indexed) ?? ''
              }
            />
            {indexed.filter(isAlone).map(({ day, index }) => (
              <line
                key={day.day}
                className="share-whisker"
                x1={at(index)}
                x2={at(index)}
                y1={y(day.low ?? 0)}
                y2={y(day.high ?? 0)}
              />
            ))}
            {indexed.filter(has).map(({ day, index }) => (
              <circle
                key={day.day}
                className="share-dot"
                data-read={reading === index}
                data-partial={day.partial}
                cx={at(index)}
                cy={y(day.share ?? 0)}
                r={reading === index ? 4 : 2.2}
              />
            ))}
            {days.map(({ day }, index) =>
              dated.has(index) ? (
                <text
                  key={day}
                  className="chart-text"
                  // The last one ends where the lines do.
                  x={index === last ? width : at(index)}
                  y={HEIGHT - 4}
                  textAnchor={index === last ? 'end' : 'middle'}
                >
                  {dayLabel(day)}
                </text>
              ) : null,
            )}
          </svg>
        )}
        {!isDocked(width) && tip}
      </div>
      <ChartFoot
        legend={
          <>
            <span className="legend-before">
              <LineSwatch />
              Share, with its margin of error
            </span>
            {before !== null && <BeforeEntry name={before.name} total={null} isDrawn />}
            {days.some((day) => day.partial && known(day)) && (
              <span className="legend-before quiet">
                <HollowDot />
                {GROWING}
              </span>
            )}
          </>
        }
        notes={[unknown > 0 ? unknownNote(unknown, days.length) : undefined]}
        over={isDocked(width) && tip}
      />
      <ChartData
        files={
          <ChartFiles
            title="Share of AI bots per day, with 95% confidence"
            box={box}
            legend={before === null ? [] : [{ name: before.name, paint: null }]}
            table={() => tableOf(days)}
          />
        }
      >
        <DayFigures days={days} />
      </ChartData>
    </figure>
  );
}

/** The place of a day that is read. */
const columnOf = (middle: number, step: number): string =>
  `M${middle - step / 2} 8h${step}V${HEIGHT - BELOW}h${-step}z`;

/** The line in its band, as both are drawn. */
function LineSwatch() {
  return (
    <svg className="swatch" width="18" height="9" viewBox="0 0 18 9" aria-hidden="true">
      <path className="share-band" d="M0 0H18V9H0z" />
      <path className="share-line" d="M0 4.5H18" />
    </svg>
  );
}

/** A day that is not over, as it is drawn. */
function HollowDot() {
  return (
    <svg className="swatch" width="9" height="9" viewBox="0 0 9 9" aria-hidden="true">
      <circle className="share-dot" data-partial="true" cx="4.5" cy="4.5" r="2.6" />
    </svg>
  );
}

/** Why the line has gaps. */
const unknownNote = (unknown: number, of: number): string =>
  `${unknown} of ${of} days ${unknown === 1 ? 'has' : 'have'} too few samples`;

/** The chart's figures, for screen readers and for exact values. */
function DayFigures({ days }: { days: readonly DayPoint[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="chart-figures-box" aria-label="Figures: AI bots per day" tabIndex={0}>
      <table className="table" aria-label="Share of AI bots, by day">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className="cell-figure">
              Share
            </th>
            <th scope="col" className="cell-figure">
              95% confidence
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">
                {dayLabel(day.day)}
                {day.partial && ' (so far)'}
              </th>
              <td className="cell-figure">{day.share === null ? 'too few samples' : shareText(day.share)}</td>
              <td className="cell-figure">
                {day.denominator === 'counted'
                  ? 'counted'
                  : day.low === null || day.high === null
                    ? '–'
                    : `${shareText(day.low)} – ${shareText(day.high)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The same as a file; an unknown share is an empty cell, never a zero. */
const tableOf = (days: readonly DayPoint[]) => ({
  head: ['Day', 'Share of AI bots', 'Low', 'High', 'Basis', 'Samples'],
  rows: days.map(({ day, share, low, high, denominator, samples }) => [
    ...[day, share ?? '', low ?? '', high ?? ''],
    ...[denominator ?? 'not known', samples],
  ]),
});
