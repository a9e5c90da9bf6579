import { DayChart } from '../../../features/charts/DayChart.tsx';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { fromTo, type Period } from '../../../format/period.ts';
import { dayIn, dayLabel } from '../../../format/time.ts';
import { useTimeZone } from '../../../parts/Time.tsx';
import { type DayPart, type DayPoint, PARTS, pointsOf } from '../model/counts.ts';
import type { DeliveryChange } from '../search.ts';

const PART_NAMES: Readonly<Record<DayPart, string>> = {
  delivered: 'Delivered',
  processing: 'Processing',
  waiting: 'Pending',
  skipped: 'Skipped',
  unknown: 'Unknown',
  dead: 'Failed',
};
const SERIES = PARTS.map((part) => ({ key: part, name: PART_NAMES[part], paint: `delivery-${part}` }));
/** Columns of the table that are not drawn. */
const BEFORE = [
  { key: 'received', name: 'Received' },
  { key: 'matched', name: 'Matched' },
];

interface DayPanelProps {
  report: ForwardingReport;
  chosen: DestinationTotals;
  period: Period;
  onChange: (change: DeliveryChange) => void;
}

export function DayPanel({ report, chosen, period, onChange }: DayPanelProps) {
  const today = dayIn(useTimeZone() ?? 'UTC', Date.now());
  const points = pointsOf(report.days, chosen.destination, period, today);
  return (
    <section className="card panel" aria-labelledby="days-title">
      <h2 id="days-title">{chosen.name} by day</h2>
      {points.every(({ values }) => values.created === 0) ? (
        <p className="aside">Nothing was due for {chosen.name} in these days.</p>
      ) : (
        <>
          <DayChart
            title="Deliveries"
            points={points}
            series={SERIES}
            also={BEFORE}
            onNarrow={(from, to) => onChange(fromTo(from, to))}
          />
          <Worst points={points} />
        </>
      )}
    </section>
  );
}

/** The worst day, as text. */
function Worst({ points }: { points: readonly DayPoint[] }) {
  const [worst] = points
    .filter(({ values }) => values.dead > 0)
    .sort((a, b) => b.values.dead - a.values.dead);
  if (worst === undefined) return null;
  const { dead, created } = worst.values;
  return (
    <p className="aside">
      Most failures on {dayLabel(worst.day)}: {dead.toLocaleString('en')} of {created.toLocaleString('en')}.
    </p>
  );
}
