import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { dayLabel } from '../../../format/time.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type AlertRule, alertsQueries, type RuleHistory } from '../api.ts';
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
      {history !== undefined && <Chart title={rule.title} history={history} threshold={threshold} />}
    </div>
  );
}

interface ChartProps {
  title: string;
  history: RuleHistory;
  threshold: number;
}

/** The picture is for eyes alone: the sentence below says the same, and the table has every figure. */
function Chart({ title, history, threshold }: ChartProps) {
  const { days, fires } = history;
  const ceiling = ceilingOf(days, threshold);
  const percent = (value: number) => `${Math.min(100, (100 * value) / ceiling)}%`;
  return (
    <>
      <div className="threshold-chart" aria-hidden="true">
        {days.map(({ day, value, reason }) => (
          <span
            key={day}
            title={`${dayLabel(day)}: ${saidOf({ day, value, reason })}`}
            data-none={value === null}
            data-reached={reaches(fires, value, threshold)}
          >
            <i style={{ height: percent(value ?? 0) }} />
          </span>
        ))}
        <b style={{ bottom: percent(threshold) }}>{threshold.toLocaleString('en')}</b>
      </div>
      <p className="threshold-days" aria-hidden="true">
        <span>{dayLabel(days[0]?.day ?? '')}</span>
        <span>today</span>
      </p>
      <p className="field-hint" role="status">
        {toldOf(history, threshold)}
      </p>
      <Figures title={title} history={history} threshold={threshold} />
    </>
  );
}

function Figures({ title, history: { days, unit, fires }, threshold }: ChartProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show data</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="threshold-figures" aria-label={`Figures: ${title}`} tabIndex={0}>
          <table className="table" aria-label={`${title}, by day`}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{unit}</th>
                <th scope="col">Threshold reached</th>
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
