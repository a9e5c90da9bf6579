import { dayLabel } from '../../format/day.ts';
import { ceilingOf } from '../model/axis.ts';
import { addDecimals, formatMoneyShort, isZero } from '../model/money.ts';
import { ratio, type Shaped } from '../model/series.ts';
import type { Dimension } from '../types.ts';
import { figure, lineName, seriesOf } from './lines.ts';

const WIDTH = 900;
const HEIGHT = 180;
/** Part of a bar's room that stays empty. */
const GAP = 0.24;

interface StackedBarsProps {
  shaped: Shaped;
  /** Null: a number of conversions. */
  currency: string | null;
  by: Dimension;
  /** The one key that is drawn; null for all of them, stacked. */
  alone: string | null;
}

/** One stacked bar a day or week, oldest at the left, in one unit. The table below holds the same figures. */
export function StackedBars({ shaped, currency, by, alone }: StackedBarsProps) {
  const { starts, lines, sums, peak, step } = shaped;
  const shown = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => alone === null || line.key === alone);
  const ceiling = ceilingOf(peak);
  const room = WIDTH / starts.length;
  const axis = (value: number) =>
    currency === null
      ? new Intl.NumberFormat('en', { notation: 'compact' }).format(value)
      : formatMoneyShort({ value: String(value), currency });
  const what = currency === null ? 'Conversions' : `Value in ${currency}`;
  const total = figure(addDecimals(...sums), currency);
  return (
    <figure className="bars chart">
      <p className="chart-top number" aria-hidden="true">
        {axis(ceiling)}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${what} per ${step}: ${total} in all, ${figure(peak, currency)} on the highest ${step}. The table below has every figure.`}
      >
        <path className="chart-grid" d={`M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} />
        <path className="bars-base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {starts.map((day, bar) => {
          let top = HEIGHT - 1;
          const said = shown
            .filter(({ line }) => !isZero(line.values[bar] ?? '0'))
            .map(({ line }) => `${lineName(line, by)}: ${figure(line.values[bar] ?? '0', currency)}`);
          const head = `${step === 'week' ? 'Week of ' : ''}${dayLabel(day)} (UTC): ${figure(sums[bar] ?? '0', currency)}`;
          return (
            <g key={day}>
              <title>{[head, ...said].join('\n')}</title>
              <rect x={bar * room} y={0} width={room} height={HEIGHT} fill="transparent" />
              {shown.map(({ line, index }) => {
                const height = ratio(line.values[bar] ?? '0', String(ceiling)) * (HEIGHT - 2);
                top -= height;
                return height === 0 ? null : (
                  <rect
                    key={line.key}
                    data-series={seriesOf(line, index)}
                    x={bar * room + (room * GAP) / 2}
                    y={top}
                    width={room * (1 - GAP)}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption aria-hidden="true">
        <span>{dayLabel(starts[0] ?? '1970-01-01')}</span>
        {starts.length > 8 && <span>{dayLabel(starts[Math.floor(starts.length / 2)] ?? '1970-01-01')}</span>}
        <span>{dayLabel(starts.at(-1) ?? '1970-01-01')}, UTC</span>
      </figcaption>
    </figure>
  );
}
