import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { ChartPanel } from '../../features/charts/ChartHead.tsx';
import { DayChart } from '../../features/charts/DayChart.tsx';
import { perBar } from '../../features/charts/steps.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { Tabs } from '../../features/page/Tabs.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { beforeOf, countText, pointsOf, shareText, VERDICT_SERIES } from '../../features/reports/figures.ts';
import { BarsChoice, HoursOrDays, useHourBars } from '../../features/reports/HoursOrDays.tsx';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { isFiltered, listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { overTime, WITH_SPOOFED } from '../../features/reports/VisitsOverTime.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { VERDICTS } from '../../features/visits/verdict.ts';
import { compact } from '../../format/search.ts';
import { BLOCKING_ID, BlockingPanel } from './BlockingPanel.tsx';
import { trustColumns } from './columns.tsx';
import type { TrustAnswer } from './messages.ts';
import { ProofPanel } from './ProofPanel.tsx';
import { SourcesPanel } from './SourcesPanel.tsx';
import { SpoofingLine } from './SpoofingLine.tsx';
import { UNLISTED, UnlistedPanel } from './UnlistedPanel.tsx';
import './trust.css';

const CHART_HEIGHT = 220;
const CHART = {
  title: 'AI bot visits',
  note: WITH_SPOOFED,
  series: VERDICT_SERIES,
  height: CHART_HEIGHT,
  isTotalled: true,
} as const;
/** Of a program that no list names, none of them is known: the report has no such filter. */
const OF_BOTS = ['vendor', 'bot', 'intent', 'verified', 'page'] as const;
const VIEWS = { identity: 'Identity', unlisted: UNLISTED } as const;

export function TrustPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, query } = address;
  const view = search.group === 'unlisted' ? 'unlisted' : 'identity';
  const isUnlisted = view === 'unlisted';
  const { group: _, kind: __, ...list } = listQuery(search);
  const asked = { ...address.compared, ...list };
  const report = useQuery(reportQuery(property.id, 'trust', asked));
  const columns = trustColumns();
  // The values of the filters are those of the visits that the page counts: spoofed ones are among them.
  const byTime = useHourBars(property, {
    ...address,
    compared: { ...address.compared, include: 'spoofed' },
  });
  const counted = { ...address, query: { ...query, include: 'spoofed' } };
  return (
    <ReportFrame
      title="Trust"
      about={
        isUnlisted ? (
          'Programs that crawl your site and that the bot list doesn’t name.'
        ) : (
          <>
            Which bots are <Term name="verified">verified</Term>, <Term name="unknown">unknown</Term> or{' '}
            <Term name="spoofed">spoofed</Term>, how each was checked, and rules that block impersonators.
          </>
        )
      }
      property={property}
      address={counted}
      report={report}
      compares={!isUnlisted}
      offers={
        isUnlisted
          ? ['path', 'host', 'country']
          : ['vendor', 'bot', 'intent', 'verified', 'path', 'host', 'country']
      }
      held={isUnlisted ? OF_BOTS : []}
      actions={!isUnlisted && <ExportMenu propertyId={property.id} report="trust" query={asked} />}
      tabs={
        <Tabs
          label="Trust"
          names={VIEWS}
          current={view}
          searchOf={(one) =>
            compact({ ...search, group: one === 'identity' ? undefined : one, n: undefined })
          }
        />
      }
      outline={
        isUnlisted
          ? { panels: [{ title: UNLISTED, rows: 5 }] }
          : {
              figures: ['✕ Spoofed', '✓ Verified', '? Unknown'],
              panels: [
                { title: overTime(address, undefined, ', by identity'), chart: CHART_HEIGHT },
                { title: 'How identity was checked' },
                { title: 'Bots by identity', columns, rows: 8 },
              ],
            }
      }
    >
      {(answer) => {
        if (isUnlisted) return <UnlistedPanel property={property} query={query} />;
        if (answer.totals.hits === 0)
          return <NoBots propertyId={property.id} filtered={isFiltered(search)} answer={answer} />;
        const drawn = drawnTotals(answer.series);
        const { changes } = answer.totals;
        return (
          <>
            <dl className="stat-strip card trust-strip" aria-label="Identity at a glance">
              <Stat
                label="✕ Spoofed"
                value={
                  <span className={drawn.spoofed > 0 ? 'text-bad' : undefined}>
                    <VisitsLink narrow={{ verdict: 'spoofed' }} of="that are spoofed">
                      {countText(drawn.spoofed, answer.totals.estimates['spoofed'])}
                    </VisitsLink>
                  </span>
                }
                aside={
                  <>
                    <Delta of={answer.totals} more="bad" pair={pairOf(answer.totals)} />
                    {drawn.spoofed > 0 && (
                      <button
                        type="button"
                        className="button button-small button-primary to-blocking"
                        onClick={showBlocking}
                      >
                        Block impersonators
                      </button>
                    )}
                  </>
                }
                note={`${shareText(drawn.spoofed / drawn.hits)} of visits, by impersonators`}
              />
              <Stat
                label="✓ Verified"
                value={
                  <VisitsLink narrow={{ verdict: 'verified' }} of="that are verified">
                    {countText(drawn.verified, answer.totals.estimates['verified'])}
                  </VisitsLink>
                }
                aside={<Delta of={changes.verified} isFurther />}
                note={`${shareText(drawn.verified / drawn.hits)} of visits, identity confirmed`}
              />
              <Stat
                label="? Unknown"
                value={
                  <VisitsLink narrow={{ verdict: 'unknown' }} of="that are unknown">
                    {countText(drawn.unknown, answer.totals.estimates['unknown'])}
                  </VisitsLink>
                }
                aside={<Delta of={changes.unknown} isFurther />}
                note={`${shareText(drawn.unknown / drawn.hits)} of visits, could not be checked`}
              />
            </dl>
            <ChartPanel
              label="Identity over time"
              head={
                <>
                  <div>
                    <h2>Visits {byTime.isDrawn ? 'per hour' : perBar(answer.series)}, by identity</h2>
                    <SpoofingLine
                      answer={answer}
                      ofOneBot={search.bot !== undefined}
                      spoofed={drawn.spoofed}
                      onNarrow={address.narrow}
                    />
                  </div>
                  <BarsChoice address={address} />
                </>
              }
            >
              <HoursOrDays of={byTime} timeZone={property.time_zone} keys={VERDICTS} chart={CHART}>
                <DayChart
                  {...CHART}
                  points={pointsOf(answer, VERDICTS)}
                  before={beforeOf(answer.previous_series)}
                  onNarrow={address.narrow}
                />
              </HoursOrDays>
            </ChartPanel>
            <ProofPanel totals={answer.totals} />
            <section className="card panel" aria-label="Bots by identity">
              <header className="panel-head">
                <h2>Bots by identity</h2>
              </header>
              <DataTable
                label="Bots by identity"
                labels="above"
                columns={columns}
                answer={answer}
                keyOf={({ vendor, bot, intent }) => `${vendor} ${bot} ${intent}`}
                sortedBy="spoofed"
                address={address}
                stale={report.isPlaceholderData}
                empty="No bots match these filters."
              />
            </section>
            <SourcesPanel property={property} query={query} />
            <BlockingPanel property={property} query={query} />
          </>
        );
      }}
    </ReportFrame>
  );
}

/** The rule is at the end of the page. */
function showBlocking() {
  const panel = document.getElementById(BLOCKING_ID);
  panel?.scrollIntoView();
  panel?.focus();
}

/** The figures of the strip, from the days of the chart: of visits that arrive meanwhile, both have the same. */
function drawnTotals(series: TrustAnswer['series']) {
  const [verified, unknown, spoofed] = (['verified', 'unknown', 'spoofed'] as const).map((verdict) =>
    series.reduce((sum, day) => sum + day[verdict], 0),
  ) as [number, number, number];
  return { verified, unknown, spoofed, hits: verified + unknown + spoofed };
}

/** `2,553 vs 660`: the spoofed visits that the change is made of; undefined: nothing is compared. */
const pairOf = ({ previous, estimates }: TrustAnswer['totals']): string | undefined =>
  previous === null
    ? undefined
    : [previous.compared_with, previous.spoofed]
        .map((count) => countText(count, estimates['spoofed']))
        .join(' vs ');
