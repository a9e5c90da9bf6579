import { CLASS_NAMES } from '../format/names.ts';
import { CLASSES } from './filters.ts';
import { type ClassCounts, MINUTES, sum } from './summary.ts';

const WIDTH = 300;
const HEIGHT = 56;
const STEP = WIDTH / MINUTES;
const GAP = 2;
const MINUTE_MS = 60_000;

/** One stacked bar a minute, oldest at the left. The highest bar fills the height. */
export function MinuteBars({ minutes, now }: { minutes: readonly ClassCounts[]; now: number }) {
  const highest = Math.max(4, ...minutes.map(sum));
  const peak = Math.max(...minutes.map(sum));
  const all = minutes.reduce((count, minute) => count + sum(minute), 0);
  return (
    <figure className="bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Visits per minute over the last 30 minutes: ${all} in all, ${peak} in the busiest minute`}
      >
        <path className="bars-base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {minutes.map((minute, index) => (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            minute={minute}
            x={index * STEP}
            highest={highest}
            at={now - (MINUTES - index) * MINUTE_MS}
          />
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <span>30 min ago</span>
        {peak > 0 && <span className="number">busiest minute: {peak.toLocaleString('en')}</span>}
        <span>now</span>
      </figcaption>
    </figure>
  );
}

function Bar({ minute, x, highest, at }: { minute: ClassCounts; x: number; highest: number; at: number }) {
  let top = HEIGHT - 1;
  const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const parts = CLASSES.filter((name) => minute[name] > 0).map(
    (name) => `${CLASS_NAMES[name]} ${minute[name]}`,
  );
  return (
    <g>
      <title>{`${time}: ${parts.join(', ') || 'nothing'}`}</title>
      <rect x={x} y={0} width={STEP} height={HEIGHT} fill="transparent" />
      {CLASSES.map((name) => {
        const height = (minute[name] / highest) * (HEIGHT - 2);
        top -= height;
        return height === 0 ? null : (
          <rect key={name} data-class={name} x={x + GAP / 2} y={top} width={STEP - GAP} height={height} />
        );
      })}
    </g>
  );
}
