import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { ceilingOf } from '../../conversions/model/axis.ts';
import { dayLabel } from '../../format/day.ts';
import type { Period } from '../../format/period.ts';
import { type Bar, type Bars, PARTS } from '../model/days.ts';
import { PART_NAMES } from './DayPanel.tsx';

const WIDTH = 900;
const HEIGHT = 150;

interface DayBarsProps {
  name: string;
  all: Bars;
  period: Period;
}

/** One stacked bar a day or week, oldest at the left. The table below holds the same figures. */
export function DayBars({ name, all: { step, bars }, period }: DayBarsProps) {
  const peak = Math.max(...bars.map(({ created }) => created));
  const ceiling = ceilingOf(String(peak));
  const x = scaleBand(
    bars.map(({ day }) => day),
    [0, WIDTH],
  ).padding(0.22);
  const y = scaleLinear([0, ceiling], [HEIGHT - 1, 1]);
  const layers = stack<Bar, (typeof PARTS)[number]>().keys(PARTS)(bars);
  const middle = bars[Math.floor(bars.length / 2)];
  return (
    <figure className="bars day-chart">
      <p className="day-chart-top number" aria-hidden="true">
        {ceiling.toLocaleString('en')}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Deliveries to ${name} per ${step}: ${peak.toLocaleString('en')} on the busiest. The table below has every figure.`}
      >
        <path className="day-chart-grid" d={`M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} />
        <path className="bars-base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {bars.map((bar, index) => (
          <g key={bar.day}>
            <title>{spokenBar(bar, step)}</title>
            <rect x={x(bar.day) ?? 0} y={0} width={x.bandwidth()} height={HEIGHT} fill="transparent" />
            {layers.map((layer) => {
              const [low = 0, high = 0] = layer[index] ?? [];
              return high > low ? (
                <rect
                  key={layer.key}
                  data-part={layer.key}
                  x={x(bar.day) ?? 0}
                  y={y(high)}
                  width={x.bandwidth()}
                  height={y(low) - y(high)}
                />
              ) : null;
            })}
          </g>
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <span>{dayLabel(period.from)}</span>
        {bars.length > 8 && middle !== undefined && <span>{dayLabel(middle.day)}</span>}
        <span>{dayLabel(period.to)}, UTC</span>
      </figcaption>
    </figure>
  );
}

function spokenBar(bar: Bar, step: Bars['step']): string {
  const parts = PARTS.filter((part) => bar[part] > 0).map(
    (part) => `${PART_NAMES[part]}: ${bar[part].toLocaleString('en')}`,
  );
  const head = `${step === 'week' ? 'Week of ' : ''}${dayLabel(bar.day)} (UTC)`;
  return [
    head,
    `Received: ${bar.received.toLocaleString('en')}`,
    `Matched: ${bar.matched.toLocaleString('en')}`,
    ...parts,
  ].join('\n');
}
