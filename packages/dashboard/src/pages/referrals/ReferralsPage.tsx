import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { ChartPanel } from '../../features/charts/ChartHead.tsx';
import { companyPaint } from '../../features/charts/companies.ts';
import { DayChart } from '../../features/charts/DayChart.tsx';
import { perBar, type Series } from '../../features/charts/steps.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { countText, isUnfinished } from '../../features/reports/figures.ts';
import { BarsChoice, HoursOrDays, useReferralHours } from '../../features/reports/HoursOrDays.tsx';
import { NotFiltered } from '../../features/reports/NoBots.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { overTime } from '../../features/reports/VisitsOverTime.tsx';
import { useShared } from '../../features/session/shared.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { Segments } from '../../parts/Switch.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type ReferralsAnswer, referralColumns } from './columns.tsx';
import { FUNNEL, FunnelPanel } from './FunnelPanel.tsx';
import { LANDING_ID, REFERRED, ReferralStrip } from './ReferralStrip.tsx';

const GROUPS = [
  ['page', 'Landing pages'],
  ['engine', 'Engines'],
] as const;

export function ReferralsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const shared = useShared();
  const { search, query, change } = address;
  const group = search.group === 'engine' ? 'engine' : 'page';
  const { kind: _, ...list } = listQuery(search);
  const asked = { ...address.compared, ...list, group };
  const report = useQuery(reportQuery(property.id, 'referrals', asked));
  const byTime = useReferralHours(property, address);
  const hadBefore = (report.data?.totals.previous?.visits ?? 0) > 0;
  const columns = referralColumns(group, hadBefore);
  return (
    <ReportFrame
      title="Referrals"
      about={
        <>
          <Term name="referral">Visits from AI engines</Term> and their landing pages, with what each engine’s
          bots crawled and how many conversions followed.
        </>
      }
      property={property}
      address={address}
      report={report}
      offers={['path', 'host', 'country']}
      counts="referrals"
      actions={<ExportMenu propertyId={property.id} report="referrals" query={asked} />}
      outline={{
        figures:
          shared === null ? ['Visits', 'Conversions', 'Value', 'Landing pages'] : ['Visits', 'Landing pages'],
        panels: [
          { title: overTime(address), chart: 190 },
          ...(shared === null ? [{ title: FUNNEL.title, about: FUNNEL.about }] : []),
          { title: group === 'page' ? 'Landing pages' : 'Engines', columns },
        ],
      }}
    >
      {(answer) => (
        <>
          <NotFiltered by={answer.not_filtered.referrals} what="Referrals" />
          {answer.totals.visits === 0 ? (
            <EmptyState title="No AI referrals">
              People who follow a link in an assistant’s answer appear here. They are identified by the
              referrer, the app’s name, or the tag that the engine adds to links.
            </EmptyState>
          ) : (
            <>
              <ReferralStrip property={property} answer={answer} query={query} />
              <ChartPanel
                label="Visits over time"
                head={
                  <>
                    <h2>Visits {byTime.isDrawn ? 'per hour' : perBar(answer.series)}</h2>
                    <BarsChoice address={address} />
                  </>
                }
              >
                <EngineChart of={byTime} answer={answer} onNarrow={address.narrow} />
                <Signals totals={answer.totals} />
              </ChartPanel>
            </>
          )}
          {shared === null && <FunnelPanel property={property} query={query} />}
          {answer.totals.visits > 0 && (
            <section id={LANDING_ID} className="card panel" aria-label="Landing pages">
              <header className="panel-head">
                <h2>{group === 'page' ? 'Landing pages' : 'Engines'}</h2>
                <Segments
                  legend="Group by"
                  value={group}
                  options={GROUPS}
                  onChoose={(chosen) =>
                    change({
                      group: chosen === 'page' ? undefined : chosen,
                      sort: undefined,
                      order: undefined,
                    })
                  }
                />
              </header>
              <DataTable
                label="Referrals"
                columns={columns}
                answer={answer}
                keyOf={({ engine, host, path }) => `${engine} ${host} ${path}`}
                sortedBy="visits"
                address={address}
                stale={report.isPlaceholderData}
                empty="No visits match these filters."
              />
            </section>
          )}
        </>
      )}
    </ReportFrame>
  );
}

/** How the visits were identified. */
function Signals({ totals: { by_signal: by, estimates: of } }: Pick<ReferralsAnswer, 'totals'>) {
  const visits = (signal: keyof typeof by, how: string) => (
    <VisitsLink narrow={{ ...REFERRED, referral_signal: signal }} of={`that ${how} identified`}>
      {countText(by[signal], of[`by_signal.${signal}`])}
    </VisitsLink>
  );
  return (
    <p className="aside">
      Recognised by the referring page {visits('referrer', 'a referrer')}, the app{' '}
      {visits('app', 'an app’s name')}, or only a tag in the link {visits('utm_source', 'a tag in the link')}
    </p>
  );
}

const OTHERS = 'other';
/** More colours than this are hard to tell apart. */
const MOST = 5;

/** The engines that are drawn, by number of visits; all others are one. */
function namedOf(totals: ReadonlyMap<string, number>): string[] {
  const names = [...totals]
    .filter(([engine]) => engine !== OTHERS)
    .sort(([, a], [, b]) => b - a)
    .map(([engine]) => engine);
  const hasOthers = totals.has(OTHERS) || names.length > MOST;
  return hasOthers ? [...names.slice(0, MOST - 1), OTHERS] : names;
}

/** The figures of those that are drawn, and of all others together. */
function folded(
  of: Readonly<Record<string, number>>,
  names: readonly string[],
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, figure] of Object.entries(of)) {
    const key = names.includes(name) ? name : OTHERS;
    sums[key] = (sums[key] ?? 0) + figure;
  }
  return sums;
}

/** Engines by number of visits. */
function EngineChart({
  of,
  answer: { series, previous_series: before, time_zone: timeZone },
  onNarrow,
}: {
  of: ReturnType<typeof useReferralHours>;
  answer: Pick<ReferralsAnswer, 'series' | 'previous_series' | 'time_zone'>;
  onNarrow: (from: string, to: string) => void;
}) {
  const totals = new Map<string, number>();
  for (const { engines } of of.isDrawn ? (of.hours?.series ?? []) : series)
    for (const [engine, visits] of Object.entries(engines))
      totals.set(engine, (totals.get(engine) ?? 0) + visits);
  const names = namedOf(totals);
  const lines: Series[] = names.map((engine, index) => ({
    key: engine,
    name: engine === OTHERS ? 'Others' : engine,
    paint: engine === OTHERS ? 'people' : companyPaint(engine, index),
  }));
  const drawn = ({ engines, estimates }: Pick<(typeof series)[number], 'engines' | 'estimates'>) => ({
    values: folded(engines, names),
    estimated: folded(
      Object.fromEntries(Object.keys(engines).map((name) => [name, estimates[`engines.${name}`] ?? 0])),
      names,
    ),
  });
  const chart = { title: 'Visits from AI engines', series: lines, height: 190 };
  return (
    <HoursOrDays of={of} timeZone={timeZone} keys={drawn} chart={chart}>
      <DayChart
        {...chart}
        points={series.map((point) => ({
          day: point.day,
          partial: isUnfinished(point.day, timeZone),
          ...drawn(point),
        }))}
        before={before?.map(({ day, visits }) => ({ day, values: { total: visits } }))}
        onNarrow={onNarrow}
      />
    </HoursOrDays>
  );
}
