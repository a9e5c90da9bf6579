import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { ChartData, ChartRoom, ChartTools } from '../../../features/charts/ChartHead.tsx';
import { type ChartFacts, ChartFactsContext } from '../../../features/charts/facts.ts';
import type { ChartTable } from '../../../features/charts/files.ts';
import { layOut } from '../../../features/charts/scales.ts';
import { barsOf } from '../../../features/charts/steps.ts';
import { useWidth } from '../../../features/charts/useWidth.ts';
import { rangeLabel } from '../../../format/period.ts';
import { dayLabel } from '../../../format/time.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type AlertRule, alertsQueries, type RuleHistory } from '../api.ts';
import { CHART_TITLES, isNews, thresholdLabel } from '../messages.ts';
import { ceilingOf, reaches, saidOf, toldOf } from './history.ts';

/** The last 30 days of a rule with a threshold drawn in, while it is chosen. */
export function ThresholdChart({
  property,
  rule,
  threshold,
}: {
  property: Property;
  rule: AlertRule;
  /** As it is being typed; the rule's own while that is no number. */
  threshold: number;
}) {
  const { data, error, refetch } = useQuery(alertsQueries.history(property.id));
  const history = data?.items.find(({ kind }) => kind === rule.kind);
  return (
    <div className="threshold-history">
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && history === undefined && <Skeleton lines={4} label="Loading the last 30 days" />}
      {history !== undefined && (
        <Chart property={property} title={rule.title} history={history} threshold={threshold} />
      )}
    </div>
  );
}

interface ChartProps {
  property: Property;
  title: string;
  history: RuleHistory;
  threshold: number;
}

/** The picture is for eyes alone: the sentence above says the same, and the table has every figure. */
function Chart({ property, title, history, threshold }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { days, unit } = history;
  const told = toldOf(history, threshold);
  const line = threshold.toLocaleString('en');
  const drawn = { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' };
  const facts: ChartFacts = {
    subject: property.domain,
    period: `${rangeLabel(drawn)}, so far`,
    days: drawn,
    population: `${title}: ${unit}; threshold ${line}`,
    timeZone: property.time_zone,
  };
  const hasTrouble = days.some((day) => paintOf(history, day.value, threshold) === 'spoofed');
  return (
    <ChartFactsContext value={facts}>
      <ChartRoom>
        <p className="threshold-said" role="status">
          <strong>{told.lead}.</strong> {told.more}
        </p>
        <div className="chart-top">
          <p className="threshold-head">{CHART_TITLES[history.kind]}</p>
          <ChartTools />
        </div>
        <div ref={box} className="threshold-chart" aria-hidden="true">
          {width > 0 && <Bars width={width} history={history} threshold={threshold} />}
        </div>
        <ChartData
          files={
            <ChartFiles
              title={`${title}, last 30 days`}
              box={box}
              table={() => tableOf(history, threshold)}
              legend={[
                { name: unit, paint: 'ai_bot' },
                ...(hasTrouble ? [{ name: 'threshold reached', paint: 'spoofed' }] : []),
                { name: `threshold ${line}`, paint: null },
              ]}
            />
          }
        >
          <Figures title={title} history={history} threshold={threshold} />
        </ChartData>
      </ChartRoom>
    </ChartFactsContext>
  );
}

/** Red is for problems: a day that only brings news keeps its colour, and stands out by its strength. */
const paintOf = ({ kind, fires }: RuleHistory, value: number | null, threshold: number): string =>
  reaches(fires, value, threshold) && !isNews({ kind }) ? 'spoofed' : 'ai_bot';

const HEIGHT = 140;
/** One date a week; every second one where the chart is narrow. */
const DATE_EVERY = 7;
const NARROW = 420;
/** More lines than this are too many for the height. */
const MOST_RULES = 5;
/** Of the name of the line, in pixels: the space before it, and each of its letters. */
const LABEL_GAP = 6;
const LABEL_LETTER = 6.2;

/** At the end of the line there is room for a percent sign; the head of the chart names a longer unit. */
const shortUnit = (unit: string): string => (unit.startsWith('%') ? '%' : '');

function Bars({ width, history, threshold }: Omit<ChartProps, 'property' | 'title'> & { width: number }) {
  const { days, fires, unit } = history;
  const label = `${thresholdLabel({ fires })} ${threshold.toLocaleString('en')}${shortUnit(unit)}`;
  // Its name is at the end of the line, beside the bars.
  const right = width - LABEL_GAP - Math.ceil(label.length * LABEL_LETTER);
  const scales = layOut({
    bars: barsOf(days.map(({ day, value }) => ({ day, partial: false, values: { value: value ?? 0 } }))),
    keys: ['value'],
    reach: ceilingOf(days, threshold),
    ...{ width: right, height: HEIGHT },
  });
  const { left, barWidth, x, y } = scales;
  const ticks = scales.ticks.filter((_, index, { length }) => length <= MOST_RULES || index % 2 === 0);
  const every = width < NARROW ? 2 * DATE_EVERY : DATE_EVERY;
  const line = y(threshold);
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <path className="chart-rule" data-zero={tick === 0} d={`M${left} ${y(tick)}H${right}`} />
          <text className="chart-text" x={left - 8} y={y(tick) + 4} textAnchor="end">
            {tick.toLocaleString('en')}
          </text>
        </g>
      ))}
      {days.map(({ day, value, reason }, index) => {
        if (value === null || value === 0) return null;
        const top = Math.min(y(0) - 1, y(value));
        return (
          <rect
            key={day}
            data-paint={paintOf(history, value, threshold)}
            data-reached={reaches(fires, value, threshold)}
            x={x(index)}
            y={top}
            width={barWidth}
            height={y(0) - top}
          >
            <title>{`${dayLabel(day)}: ${saidOf({ day, value, reason })}`}</title>
          </rect>
        );
      })}
      {days.map(({ day }, index) => {
        const before = days.length - 1 - index;
        if (before % every !== 0) return null;
        return (
          <text
            key={day}
            className="chart-text"
            x={before === 0 ? right : x(index) + barWidth / 2}
            y={HEIGHT - 4}
            textAnchor={before === 0 ? 'end' : 'middle'}
          >
            {before === 0 ? 'today' : dayLabel(day)}
          </text>
        );
      })}
      <path className="chart-before" d={`M${left} ${line}H${right}`} />
      <text className="threshold-label" x={right + LABEL_GAP} y={line + 4}>
        {label}
      </text>
    </svg>
  );
}

const headOf = (unit: string) => ['Day', unit, 'Threshold reached'] as const;

/** Every day, also those without a figure, which say why. */
const tableOf = ({ days, unit, fires }: RuleHistory, threshold: number): ChartTable => ({
  head: headOf(unit),
  rows: days.map((day) => [
    day.day,
    day.value ?? saidOf(day),
    day.value === null ? '' : reaches(fires, day.value, threshold) ? 'yes' : 'no',
  ]),
});

function Figures({ title, history: { days, unit, fires }, threshold }: Omit<ChartProps, 'property'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="threshold-figures" aria-label={`Figures: ${title}`} tabIndex={0}>
      <table className="table" aria-label={`${title}, by day`}>
        <thead>
          <tr>
            {headOf(unit).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, value, reason }) => (
            <tr key={day}>
              <th scope="row">{dayLabel(day)}</th>
              <td className="number">{saidOf({ day, value, reason })}</td>
              <td>{value === null ? '–' : reaches(fires, value, threshold) ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
