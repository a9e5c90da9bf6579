import { dayLabel } from '../../format/day.ts';
import type { Period } from '../../format/period.ts';
import { type Bars, barsOf, type DayPart, PARTS } from '../model/days.ts';
import type { DestinationTotals, ForwardingReport } from '../types.ts';
import { DayBars } from './DayBars.tsx';
import { DayTable } from './DayTable.tsx';

export const PART_NAMES: Readonly<Record<DayPart, string>> = {
  accepted: 'Accepted',
  waiting: 'On the way',
  skipped: 'Skipped',
  unknown: 'Unknown',
  dead: 'Failed',
};

interface DayPanelProps {
  report: ForwardingReport;
  chosen: DestinationTotals;
  period: Period;
}

export function DayPanel({ report, chosen, period }: DayPanelProps) {
  const all = barsOf(report.days, chosen.destination, period);
  const seen = PARTS.filter((part) => all.bars.some((bar) => bar[part] > 0));
  return (
    <section className="card panel" aria-labelledby="days-title">
      <div className="panel-head">
        <h2 id="days-title">
          {chosen.name} by {all.step}
        </h2>
        <ul className="day-key" aria-hidden="true">
          {seen.map((part) => (
            <li key={part}>
              <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
                <rect data-part={part} width="10" height="10" rx="2" />
              </svg>
              {PART_NAMES[part]}
            </li>
          ))}
        </ul>
      </div>
      {seen.length === 0 ? (
        <p className="aside">Nothing was due for {chosen.name} in these days.</p>
      ) : (
        <>
          <DayBars name={chosen.name} all={all} period={period} />
          <Worst all={all} />
          <DayTable all={all} />
        </>
      )}
    </section>
  );
}

/** The day that went worst, in words: what the eye would look for. */
function Worst({ all }: { all: Bars }) {
  const [worst] = all.bars.filter(({ dead }) => dead > 0).sort((a, b) => b.dead - a.dead);
  if (worst === undefined) return null;
  return (
    <p className="aside">
      Most failed {all.step === 'week' ? 'in the week of' : 'on'} {dayLabel(worst.day)}:{' '}
      {worst.dead.toLocaleString('en')} of {worst.created.toLocaleString('en')}.
    </p>
  );
}
