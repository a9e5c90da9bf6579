import { useRef } from 'react';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { CLASS_NAMES } from '../../format/names.ts';
import { clock } from '../../format/time.ts';
import { useTimeZone } from '../../parts/Time.tsx';
import { minuteScale } from './scale.ts';
import { CLASSES } from './search.ts';
import { MINUTES, type Minute, sum } from './summary.ts';

const WIDTH = 300;
const HEIGHT = 96;
const STEP = WIDTH / MINUTES;
const GAP = 2;
const BACK = [30, 20, 10] as const;

/** One stacked bar per minute, oldest at the left, the spoofed ones of the bots apart. */
export function MinuteBars({ minutes, filtered }: { minutes: readonly Minute[]; filtered: boolean }) {
  const sums = minutes.map(({ counts }) => sum(counts));
  const scale = minuteScale(sums);
  const all = sums.reduce((total, count) => total + count, 0);
  const box = useRef<HTMLDivElement>(null);
  return (
    <figure className="bars">
      <div className="chart-top">
        <h2>
          Traffic per minute
          {/* The list below is filtered; these bars are not. */}
          {filtered && <span className="quiet"> · without the filters below</span>}
        </h2>
        <span className="bars-files">
          <ChartFiles
            title="Traffic per minute"
            box={box}
            legend={[
              ...CLASSES.filter((name) => minutes.some(({ counts }) => counts[name] > 0)).map((name) => ({
                name: CLASS_NAMES[name],
                paint: name as string,
              })),
              ...(minutes.some(({ spoofed }) => spoofed > 0) ? [{ name: 'Spoofed', paint: 'spoofed' }] : []),
            ]}
            table={() => ({
              head: ['Minute', ...CLASSES.map((name) => CLASS_NAMES[name]), 'Of these spoofed'],
              rows: minutes.map(({ at, counts, spoofed }) => [
                new Date(at).toISOString(),
                ...CLASSES.map((name) => counts[name]),
                spoofed,
              ]),
            })}
          />
        </span>
      </div>
      <div className="bars-plot">
        <div className="bars-axis number" aria-hidden="true">
          {scale.ticks.toReversed().map((tick) => (
            <span key={tick}>{tick.toLocaleString('en')}</span>
          ))}
        </div>
        <div ref={box} className="bars-box">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Traffic per minute over the last 30 minutes: ${all} in total, ${Math.max(0, ...sums)} in the busiest minute`}
          >
            {scale.ticks.map((tick) => (
              <path
                key={tick}
                className={tick === 0 ? 'bars-base' : 'bars-line'}
                d={`M0 ${yOf(tick, scale.top)}H${WIDTH}`}
              />
            ))}
            {minutes.map((minute, index) => (
              <Bar key={minute.at} minute={minute} x={index * STEP} top={scale.top} />
            ))}
          </svg>
        </div>
        <figcaption aria-hidden="true">
          {BACK.map((minutes, index) => (
            <span key={minutes}>{index === 0 ? `${minutes} min ago` : `${minutes} min`}</span>
          ))}
          <span>now</span>
        </figcaption>
      </div>
    </figure>
  );
}

const yOf = (value: number, top: number): number =>
  HEIGHT - 0.5 - (Math.min(value, top) / top) * (HEIGHT - 1);

function Bar({ minute, x, top }: { minute: Minute; x: number; top: number }) {
  const { at, counts, spoofed } = minute;
  const timeZone = useTimeZone() ?? undefined;
  const time = clock(at, timeZone).slice(0, 5);
  const told = CLASSES.filter((name) => counts[name] > 0).map(
    (name) =>
      `${CLASS_NAMES[name]} ${counts[name]}${name === 'ai_bot' && spoofed > 0 ? ` (${spoofed} spoofed)` : ''}`,
  );
  const { ai_bot: bots, ...others } = counts;
  const parts = Object.entries({ ai_bot: bots - spoofed, spoofed, ...others }).filter(
    ([, count]) => count > 0,
  );
  let below = 0;
  return (
    <g>
      <title>{`${time}: ${told.join(', ') || 'nothing'}`}</title>
      <rect x={x} y={0} width={STEP} height={HEIGHT} fill="transparent" />
      {parts.map(([name, count]) => {
        const base = yOf(below, top);
        below += count;
        const height = base - yOf(below, top);
        return height <= 0 ? null : (
          <rect
            key={name}
            data-class={name}
            data-paint={name}
            x={x + GAP / 2}
            y={base - height}
            width={STEP - GAP}
            height={height}
          />
        );
      })}
    </g>
  );
}
