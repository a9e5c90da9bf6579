import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { DayChart } from '../../features/charts/DayChart.tsx';
import { perBar } from '../../features/charts/steps.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { beforeOf, countText, pointsOf, shareText, VERDICT_SERIES } from '../../features/reports/figures.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { isFiltered, listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { WITH_SPOOFED } from '../../features/reports/VisitsOverTime.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { VERDICTS } from '../../features/visits/verdict.ts';
import { BlockingPanel } from './BlockingPanel.tsx';
import { trustColumns } from './columns.tsx';
import { ProofPanel } from './ProofPanel.tsx';
import { SourcesPanel } from './SourcesPanel.tsx';
import { UnlistedPanel } from './UnlistedPanel.tsx';

const CHART_HEIGHT = 220;

export function TrustPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, query } = address;
  const { group: _, kind: __, ...list } = listQuery(search);
  const asked = { ...address.compared, ...list };
  const report = useQuery(reportQuery(property.id, 'trust', asked));
  const columns = trustColumns();
  return (
    <ReportFrame
      title="Trust"
      about={
        <>
          Whether bots are who they claim to be: <Term name="verified">verified</Term>,{' '}
          <Term name="spoofed">spoofed</Term> or <Term name="unknown">unknown</Term>. Below: how that is
          known, where impersonators come from, and rules that block them.
        </>
      }
      property={property}
      address={address}
      report={report}
      offers={['vendor', 'bot', 'intent', 'verified', 'path', 'host', 'country']}
      actions={<ExportMenu propertyId={property.id} report="trust" query={asked} />}
      outline={{
        figures: ['✓ Verified', '✕ Spoofed', '? Unknown'],
        panels: [
          { title: `Visits ${perBar({ length: address.period.days })}`, chart: CHART_HEIGHT },
          { title: 'Verification method' },
          { title: 'Bots by identity', columns, rows: 8 },
        ],
      }}
    >
      {(answer) =>
        answer.totals.hits === 0 ? (
          <>
            <NoBots propertyId={property.id} filtered={isFiltered(search)} />
            <UnlistedPanel property={property} query={query} />
          </>
        ) : (
          <>
            <dl className="stat-strip card" aria-label="Identity at a glance">
              <Stat
                label="✓ Verified"
                value={
                  <VisitsLink narrow={{ verdict: 'verified' }} of="that are verified">
                    {countText(answer.totals.verified, answer.totals.estimates['verified'])}
                  </VisitsLink>
                }
                note={`${shareText(answer.totals.verified / answer.totals.hits)} of visits: identity confirmed`}
              />
              <Stat
                label="✕ Spoofed"
                value={
                  <span className={answer.totals.spoofed > 0 ? 'text-bad' : undefined}>
                    <VisitsLink narrow={{ verdict: 'spoofed' }} of="that are spoofed">
                      {countText(answer.totals.spoofed, answer.totals.estimates['spoofed'])}
                    </VisitsLink>
                  </span>
                }
                aside={<Delta of={answer.totals} more="bad" />}
                note={`${shareText(answer.totals.spoofed_share ?? 0)} of visits: impersonators`}
              />
              <Stat
                label="? Unknown"
                value={
                  <VisitsLink narrow={{ verdict: 'unknown' }} of="that are unknown">
                    {countText(answer.totals.unknown, answer.totals.estimates['unknown'])}
                  </VisitsLink>
                }
                note={`${shareText(answer.totals.unknown / answer.totals.hits)} of visits: could not be verified`}
              />
            </dl>
            <section className="card panel" aria-label="Identity over time">
              <header className="panel-head">
                <h2>Visits {perBar(answer.series)}</h2>
              </header>
              <DayChart
                title="AI bot visits"
                note={WITH_SPOOFED}
                points={pointsOf(answer, VERDICTS)}
                before={beforeOf(answer.previous_series)}
                series={VERDICT_SERIES}
                height={CHART_HEIGHT}
                onNarrow={address.narrow}
              />
            </section>
            <ProofPanel totals={answer.totals} />
            <section className="card panel" aria-label="Bots by identity">
              <header className="panel-head">
                <h2>Bots by identity</h2>
              </header>
              <DataTable
                label="Bots by identity"
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
            <UnlistedPanel property={property} query={query} />
          </>
        )
      }
    </ReportFrame>
  );
}
