import { useRef } from 'react';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { ClassGlyph } from '../../features/visits/ClassGlyph.tsx';
import { CLASS_NAMES, counted } from '../../format/names.ts';
import { clock } from '../../format/time.ts';
import { useTimeZone } from '../../parts/Time.tsx';
import { CLASSES, type CountedClass } from './search.ts';
import { type LiveSummary, MINUTES, type Minute, sum } from './summary.ts';

/** The last thirty minutes: a count per class and a bar per minute, of all visits regardless of filters. */
export function SummaryStrip({
  summary,
  filtered,
  classes,
}: {
  summary: LiveSummary | null;
  filtered: boolean;
  classes: readonly CountedClass[];
}) {
  return (
    <section className="summary card" aria-label="Last 30 minutes, all visits">
      <dl className="summary-counts">
        {classes.map((hitClass) => (
          <div key={hitClass} data-class={hitClass}>
            <dt>
              <ClassGlyph hitClass={hitClass} />
              {CLASS_NAMES[hitClass]}s
            </dt>
            <dd className="number">
              {summary === null ? '–' : summary.total[hitClass].toLocaleString('en')}
              {hitClass === 'ai_bot' && summary !== null && summary.spoofed > 0 && (
                <span className="summary-note">
                  including {counted(summary.spoofed, 'spoofed', 'spoofed')}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <MinuteBars minutes={summary?.minutes ?? []} filtered={filtered} />
    </section>
  );
}

const WIDTH = 300;
const HEIGHT = 84;
const STEP = WIDTH / MINUTES;
const GAP = 2;

/** One stacked bar per minute, oldest at the left. The highest bar fills the height. */
function MinuteBars({ minutes, filtered }: { minutes: readonly Minute[]; filtered: boolean }) {
  const sums = minutes.map(({ counts }) => sum(counts));
  const peak = Math.max(0, ...sums);
  const highest = Math.max(4, peak);
  const all = sums.reduce((total, count) => total + count, 0);
  const box = useRef<HTMLDivElement>(null);
  return (
    <figure className="bars">
      <div className="chart-top">
        <span className="quiet number" aria-hidden="true">
          {/* The list below is filtered; these bars are not. */}
          {peak > 0 && `${filtered ? 'All visits; busiest' : 'Busiest'} minute: ${peak.toLocaleString('en')}`}
        </span>
        <ChartFiles
          title="Visits per minute"
          box={box}
          legend={CLASSES.filter((name) => minutes.some(({ counts }) => counts[name] > 0)).map((name) => ({
            name: CLASS_NAMES[name],
            paint: name,
          }))}
          table={() => ({
            head: ['Minute', ...CLASSES.map((name) => CLASS_NAMES[name])],
            rows: minutes.map(({ at, counts }) => [
              new Date(at).toISOString(),
              ...CLASSES.map((name) => counts[name]),
            ]),
          })}
        />
      </div>
      <div ref={box} className="bars-box">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Visits per minute over the last 30 minutes: ${all} in total, ${peak} in the busiest minute`}
        >
          {peak > 0 && (
            <path className="bars-peak" d={`M0 ${HEIGHT - 1 - (peak / highest) * (HEIGHT - 2)}H${WIDTH}`} />
          )}
          <path className="bars-base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          {minutes.map((minute, index) => (
            <Bar key={minute.at} minute={minute} x={index * STEP} highest={highest} />
          ))}
        </svg>
      </div>
      <figcaption aria-hidden="true">
        <span>30 min ago</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

function Bar({ minute, x, highest }: { minute: Minute; x: number; highest: number }) {
  const { at, counts } = minute;
  let top = HEIGHT - 1;
  const timeZone = useTimeZone() ?? undefined;
  const time = clock(at, timeZone).slice(0, 5);
  const parts = CLASSES.filter((name) => counts[name] > 0).map(
    (name) => `${CLASS_NAMES[name]} ${counts[name]}`,
  );
  return (
    <g>
      <title>{`${time}: ${parts.join(', ') || 'nothing'}`}</title>
      <rect x={x} y={0} width={STEP} height={HEIGHT} fill="transparent" />
      {CLASSES.map((name) => {
        const height = (counts[name] / highest) * (HEIGHT - 2);
        top -= height;
        return height === 0 ? null : (
          <rect
            key={name}
            data-class={name}
            data-paint={name}
            x={x + GAP / 2}
            y={top}
            width={STEP - GAP}
            height={height}
          />
        );
      })}
    </g>
  );
}
