import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { type ChartFacts, ChartFactsContext } from '../../../features/charts/facts.ts';
import type { ChartTable } from '../../../features/charts/files.ts';
import { useWidth } from '../../../features/charts/useWidth.ts';
import { rangeLabel } from '../../../format/period.ts';
import { dayLabel } from '../../../format/time.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type AlertRule, alertsQueries, type RuleHistory } from '../api.ts';
import { ceilingOf, reaches, saidOf, shown, toldOf } from './history.ts';

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
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const facts: ChartFacts = {
    subject: property.domain,
    period: `${rangeLabel({ from: first, to: last })}, so far`,
    population: `${unit}; threshold ${threshold.toLocaleString('en')}`,
    timeZone: property.time_zone,
  };
  return (
    <ChartFactsContext value={facts}>
      <div className="chart-top">
        <p className="field-hint" role="status">
          {toldOf(history, threshold)}
        </p>
        <ChartFiles
          title={`${title}, last 30 days`}
          box={box}
          table={() => tableOf(history, threshold)}
          legend={[
            { name: unit, paint: 'ai_bot' },
            ...(days.some(({ value }) => reaches(history.fires, value, threshold))
              ? [{ name: 'threshold reached', paint: 'spoofed' }]
              : []),
            { name: `threshold ${threshold.toLocaleString('en')}`, paint: null },
          ]}
        />
      </div>
      <div ref={box} className="threshold-chart" aria-hidden="true">
        {width > 0 && <Bars width={width} history={history} threshold={threshold} />}
      </div>
      <p className="threshold-days" style={{ paddingLeft: SCALE }} aria-hidden="true">
        <span>{dayLabel(first)}</span>
        <span>today</span>
      </p>
      <Figures title={title} history={history} threshold={threshold} />
    </ChartFactsContext>
  );
}

const HEIGHT = 84;
/** Left of the bars, for the largest value and zero. */
const SCALE = 44;
/** Right of the bars, for the threshold's figure. */
const LABEL = 56;
const GAP = 2;

/** As a drawing, so that it can be saved as a picture. */
function Bars({
  width,
  history: { days, fires },
  threshold,
}: Omit<ChartProps, 'property' | 'title'> & { width: number }) {
  const ceiling = ceilingOf(days, threshold);
  const heightOf = (value: number) => (Math.min(ceiling, value) / ceiling) * HEIGHT;
  const highest = Math.max(0, ...days.map(({ value }) => value ?? 0));
  const step = (width - SCALE - LABEL) / Math.max(1, days.length);
  const line = HEIGHT - heightOf(threshold);
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {days.map(({ day, value, reason }, index) => {
        const height = value === null ? 0 : Math.max(1, heightOf(value));
        return (
          <rect
            key={day}
            data-paint={reaches(fires, value, threshold) ? 'spoofed' : 'ai_bot'}
            x={SCALE + index * step}
            y={HEIGHT - height}
            width={Math.max(1, step - GAP)}
            height={height}
          >
            <title>{`${dayLabel(day)}: ${saidOf({ day, value, reason })}`}</title>
          </rect>
        );
      })}
      <path className="chart-rule" d={`M${SCALE} ${HEIGHT - 0.5}H${width - LABEL}`} />
      <ScaleText y={HEIGHT - 4} text="0" />
      {/* A day far below the threshold would overlap the zero. */}
      {heightOf(highest) > 16 && <ScaleText y={HEIGHT - heightOf(highest) + 4} text={shown(highest)} />}
      <path className="chart-before" d={`M${SCALE} ${line}H${width}`} />
      <text
        className="threshold-label"
        x={width}
        y={line > HEIGHT - 16 ? line - 5 : line + 13}
        textAnchor="end"
      >
        {threshold.toLocaleString('en')}
      </text>
    </svg>
  );
}

function ScaleText({ y, text }: { y: number; text: string }) {
  return (
    <text className="chart-text" x={SCALE - 8} y={y} textAnchor="end">
      {text}
    </text>
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
  const [open, setOpen] = useState(false);
  return (
    <details className="chart-figures" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show data</summary>
      {open && (
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
      )}
    </details>
  );
}
