import { DayChart } from '../../charts/DayChart.tsx';
import { perBar } from '../../charts/steps.ts';
import { VERDICTS } from '../../visits/verdict.ts';
import type { OverviewAnswer } from '../api.ts';
import { pointsOf, VERDICT_SERIES } from '../figures.ts';
import type { ReportAddress } from '../useReportSearch.ts';

interface VerdictsPanelProps {
  answer: OverviewAnswer;
  address: ReportAddress;
  /** Pixels. */
  height: number;
}

/** Visits of one bot or page over time, by verdict; a bar opens its time. */
export const VerdictsPanel = ({ answer, address, height }: VerdictsPanelProps) => (
  <section className="card panel" aria-label="Visits over time">
    <header className="panel-head">
      <h2>Visits {perBar(answer.series)}, by identity</h2>
    </header>
    <DayChart
      title="Visits"
      points={pointsOf(answer.series, VERDICTS)}
      series={VERDICT_SERIES}
      height={height}
      onNarrow={address.narrow}
    />
  </section>
);
