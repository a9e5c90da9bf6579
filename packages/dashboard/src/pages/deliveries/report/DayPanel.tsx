import { ChartPanel } from '../../../features/charts/ChartHead.tsx';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { DeliveryDays } from '../../../features/deliveries/DeliveryDays.tsx';
import { type DayPoint, pointsOf } from '../../../features/deliveries/days.ts';
import { fromTo, type Period } from '../../../format/period.ts';
import { dayIn, dayLabel } from '../../../format/time.ts';
import { useTimeZone } from '../../../parts/Time.tsx';
import type { DeliveryChange } from '../search.ts';

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
    <ChartPanel label={`${chosen.name} by day`} head={<h2>{chosen.name} by day</h2>}>
      {points.every(({ values }) => values.created === 0) ? (
        <p className="aside">Nothing was due for {chosen.name} in these days.</p>
      ) : (
        <>
          <DeliveryDays points={points} onNarrow={(from, to) => onChange(fromTo(from, to))} />
          <Worst points={points} />
        </>
      )}
    </ChartPanel>
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
