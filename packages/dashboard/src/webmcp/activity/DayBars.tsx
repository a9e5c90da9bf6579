import { dayLabel } from '../../format/day.ts';
import { FETCH_DAYS } from '../api.ts';
import { type Day, gapless } from './days.ts';

const WIDTH = 600;
const HEIGHT = 72;
const GAP = 3;
/** Below this a single fetch would fill the height. */
const LOWEST_PEAK = 4;

/** One bar a UTC day, oldest at the left. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const all = gapless(days, FETCH_DAYS, Date.now());
  const peak = Math.max(...all.map(({ fetches }) => fetches));
  const highest = Math.max(LOWEST_PEAK, peak);
  const step = WIDTH / all.length;
  return (
    <figure className="bars day-bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Fetches per day over the last ${FETCH_DAYS} days: ${peak} on the busiest day`}
      >
        <path className="bars-base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {all.map(({ day, fetches }, index) => {
          const height = (fetches / highest) * (HEIGHT - 2);
          return (
            <g key={day}>
              <title>{`${dayLabel(day)} (UTC): ${fetches}`}</title>
              <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
              {height > 0 && (
                <rect
                  data-class="ai_bot"
                  x={index * step + GAP / 2}
                  y={HEIGHT - 1 - height}
                  width={step - GAP}
                  height={height}
                />
              )}
            </g>
          );
        })}
      </svg>
      <figcaption aria-hidden="true">
        <span>{dayLabel(all[0]?.day ?? '1970-01-01')}</span>
        <span className="number">busiest day: {peak.toLocaleString('en')}</span>
        <span>today, UTC</span>
      </figcaption>
    </figure>
  );
}
