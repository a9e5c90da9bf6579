import type { Property } from '../../api/types.ts';
import { ChartPanel } from '../../features/charts/ChartHead.tsx';
import { DayChart } from '../../features/charts/DayChart.tsx';
import { perBar, type Series } from '../../features/charts/steps.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { beforeOf, pointsOf } from '../../features/reports/figures.ts';
import { BarsChoice, HoursOrDays, useHourBars } from '../../features/reports/HoursOrDays.tsx';
import { FixList } from '../../features/reports/overview/FailuresPanel.tsx';
import { PagePath } from '../../features/reports/PagePath.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import type { FailureKind, FailuresAnswer } from './columns.tsx';
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
} as const satisfies Readonly<Record<FailureKind, readonly (keyof typeof SERIES)[]>>;

export const drawnName = (kind: FailureKind): string => (kind === 'redirect' ? 'Redirects' : 'Failures');

interface CausesPanelsProps {
  property: Property;
  address: ReportAddress;
  answer: FailuresAnswer;
  kind: FailureKind;
}

/** What to fix first, which statuses there were, and when. */
export function CausesPanels({ property, address, answer, kind }: CausesPanelsProps) {
  const what = drawnName(kind);
  const byTime = useHourBars(property, address);
  const chart = { title: what, series: DRAWN[kind].map((key) => SERIES[key]), height: 190 };
  const hasFixes = answer.fix_first.length + answer.fixed.length > 0;
  return (
    <>
      <div className={hasFixes ? 'report-columns report-columns-wide' : undefined}>
        {hasFixes && (
          <section className="card panel" aria-label="Fix these first">
            <header className="panel-head">
              <h2>Fix these first</h2>
              <p className="quiet">
                <Term name="failure impact">Ranked by impact</Term>
              </p>
            </header>
            <FixList items={answer.fix_first} each={3} />
            <Fixed pages={answer.fixed} />
          </section>
        )}
        <StatusList property={property} query={address.query} answer={answer} kind={kind} />
      </div>
      <ChartPanel
        label="Failures over time"
        head={
          <>
            <h2>
              {what} {byTime.isDrawn ? 'per hour' : perBar(answer.series)}
            </h2>
            <BarsChoice address={address} />
          </>
        }
      >
        <HoursOrDays of={byTime} timeZone={property.time_zone} keys={DRAWN[kind]} chart={chart}>
          <DayChart
            {...chart}
            points={pointsOf(answer, DRAWN[kind])}
            before={beforeOf(answer.previous_series)}
            onNarrow={address.narrow}
          />
        </HoursOrDays>
      </ChartPanel>
    </>
  );
}

/** So many are named. */
const MOST_NAMED = 3;

/** Pages that failed in the period and answer well since: nothing is to be done. */
function Fixed({ pages }: { pages: FailuresAnswer['fixed'] }) {
  if (pages.length === 0) return null;
  return (
    <p className="aside fixed-pages">
      ✓ Recently fixed:{' '}
      {pages.slice(0, MOST_NAMED).map(({ host, path, since }, index) => (
        <span key={`${host}${path}`}>
          {index > 0 && ', '}
          <ReportLink to="failures" narrow={{ page: path, host }}>
            <PagePath host={host} path={path} />
          </ReportLink>{' '}
          ({dayLabel(since)})
        </span>
      ))}
      {pages.length > MOST_NAMED && ` and ${counted(pages.length - MOST_NAMED, 'more page')}`}.
    </p>
  );
}
