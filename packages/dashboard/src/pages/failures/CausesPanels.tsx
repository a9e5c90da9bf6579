import { ChartPanel } from '../../features/charts/ChartHead.tsx';
import { DayChart } from '../../features/charts/DayChart.tsx';
import { perBar, type Series } from '../../features/charts/steps.ts';
import { beforeOf, pointsOf } from '../../features/reports/figures.ts';
import { FixList } from '../../features/reports/overview/FailuresPanel.tsx';
import type { FailuresAnswer } from './columns.tsx';
import { StatusList } from './StatusList.tsx';

const SERIES = {
  redirects: { key: 'redirects', name: 'Redirects', paint: 'redirect' },
  client_errors: { key: 'client_errors', name: '4xx', paint: 'client_error' },
  server_errors: { key: 'server_errors', name: '5xx', paint: 'server_error' },
} as const satisfies Readonly<Record<string, Series>>;

/** What the chart draws of each kind. A redirect is no error, so the two are never added up. */
const DRAWN = {
  errors: ['client_errors', 'server_errors'],
  client_error: ['client_errors'],
  server_error: ['server_errors'],
  redirect: ['redirects'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof SERIES)[]>>;
export type FailureKind = keyof typeof DRAWN;

export const drawnName = (kind: FailureKind): string => (kind === 'redirect' ? 'Redirects' : 'Failures');

interface CausesPanelsProps {
  answer: FailuresAnswer;
  kind: FailureKind;
  /** Opens days. */
  onNarrow: (from: string, to: string) => void;
}

/** What to fix first, which statuses there were, and when. */
export function CausesPanels({ answer, kind, onNarrow }: CausesPanelsProps) {
  const what = drawnName(kind);
  return (
    <>
      <div className={answer.fix_first.length > 0 ? 'report-columns report-columns-wide' : undefined}>
        {answer.fix_first.length > 0 && (
          <section className="card panel" aria-label="Fix these first">
            <header className="panel-head">
              <h2>Fix these first</h2>
              <p className="quiet">
                Most urgent first: a failure counts 5 times while answering a person, twice for AI search.
              </p>
            </header>
            {/* As high as the statuses beside it. */}
            <FixList items={answer.fix_first} first={4} />
          </section>
        )}
        <StatusList statuses={answer.by_status} />
      </div>
      <ChartPanel
        label="Failures over time"
        head={
          <h2>
            {what} {perBar(answer.series)}
          </h2>
        }
      >
        <DayChart
          title={what}
          points={pointsOf(answer, DRAWN[kind])}
          before={beforeOf(answer.previous_series)}
          series={DRAWN[kind].map((key) => SERIES[key])}
          onNarrow={onNarrow}
        />
      </ChartPanel>
    </>
  );
}
