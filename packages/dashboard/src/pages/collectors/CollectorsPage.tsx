import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { Term } from '../../features/glossary/Term.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { countText, shareText } from '../../features/reports/figures.ts';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { visible } from '../../format/visible.ts';
import { Mark } from '../../parts/Sign.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';

/** Collectors and log pushes: versions, hosts, sample rates, and which versions are outdated. */
export function CollectorsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const sourceName = useSourceName();
  const report = useQuery(reportQuery(property.id, 'collectors', address.query));
  return (
    <ReportFrame
      title="Collectors"
      about="What sends your hits: collector versions, hosts, sample rates and log push jobs."
      property={property}
      address={address}
      report={report}
      compares={false}
      offers={['host']}
      outline={{
        panels: [
          { title: 'Versions', rows: 3 },
          { title: 'Hosts', rows: 3 },
        ],
      }}
    >
      {(answer) =>
        answer.hosts.length === 0 ? (
          <EmptyState
            title="No hits in this period"
            action={
              <Link
                to="/p/$propertyId/setup"
                params={{ propertyId: property.id }}
                className="button button-primary"
              >
                Open Set-up
              </Link>
            }
          >
            Collectors and log sources appear here with their first hit.
          </EmptyState>
        ) : (
          <>
            {answer.versions
              .filter(({ stale }) => stale)
              .filter(({ source }, index, all) => all.findIndex((one) => one.source === source) === index)
              .map(({ source, latest_version: latest }) => (
                <p key={source} className="notice">
                  {sourceName(source)}: a version older than {latest} is in use.
                  {source === 'edge_worker' &&
                    ' Repositories from 0.5.0 on get a weekly update pull request; to update a pasted collector, paste the latest file. Settings and routes stay.'}{' '}
                  <Link to="/p/$propertyId/setup" params={{ propertyId: property.id }}>
                    Get the latest version
                  </Link>
                </p>
              ))}
            {answer.sample_rate_zero && (
              <p className="notice">
                No collector has sent a sample of other traffic in this period, so the AI share is unknown.
                Either the sample rate is 0, or there were too few visits for a sample yet.
              </p>
            )}
            {answer.versions.length > 0 && <Versions answer={answer} />}
            <Hosts hosts={answer.hosts} />
          </>
        )
      }
    </ReportFrame>
  );
}

/** A sender is counted by all that it sent, samples and spoofed visits too. */
const EVERYONE: VisitChange = { class: 'ai_bot,ai_referral,search_engine,sample', verdict: undefined };
const versionOf = (version: string): VisitChange => (version === '' ? {} : { version });

function Versions({ answer: { versions } }: { answer: CollectorsAnswer }) {
  const sourceName = useSourceName();
  return (
    <section className="card panel" aria-label="Collector versions">
      <header className="panel-head">
        <h2>Versions</h2>
        <ChartFiles
          title="Collector versions"
          table={() => ({
            head: ['Source', 'Version', 'Latest', 'Hits', 'Samples', 'Hosts', 'Last seen'],
            rows: versions.map((one) => [
              ...[one.source, one.version, one.latest_version ?? '', one.hits, one.samples, one.host_count],
              one.last_seen ?? '',
            ]),
          })}
        />
      </header>
      <div className="table-card">
        <table className="table data-table" aria-label="Collector versions">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col" className="cell-figure">
                Hits
              </th>
              <th scope="col" className="cell-figure" data-rank="3">
                <Term name="sample">Samples</Term>
              </th>
              <th scope="col" data-rank="2">
                Hosts
              </th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((one) => (
              <tr key={`${one.source} ${one.version}`}>
                <th scope="row" className="mono break">
                  {one.version === '' ? 'before 0.4.0' : visible(one.version)}
                  <span className="cell-detail">
                    {sourceName(one.source)}
                    {one.latest_version !== null && `, latest ${one.latest_version}`}
                  </span>
                </th>
                <td data-label="State">
                  <State of={one} />
                </td>
                <td className="cell-figure" data-label="Hits">
                  <VisitsLink narrow={{ ...EVERYONE, source: one.source, ...versionOf(one.version) }}>
                    {countText(one.hits)}
                  </VisitsLink>
                </td>
                <td className="cell-figure" data-rank="3" data-label="Samples">
                  {one.samples === 0 ? (
                    countText(one.samples)
                  ) : (
                    <VisitsLink
                      narrow={{
                        ...{ class: 'sample', verdict: undefined, source: one.source },
                        ...versionOf(one.version),
                      }}
                      of="that are samples"
                    >
                      {countText(one.samples)}
                    </VisitsLink>
                  )}
                </td>
                <td data-rank="2" data-label="Hosts" data-wide="true" className="cell-name">
                  <span className="mono">{one.hosts.slice(0, 3).map(visible).join(', ')}</span>
                  {one.host_count > 3 && ` and ${one.host_count - 3} more`}
                </td>
                <td className="cell-time">
                  <Time value={one.last_seen} form="ago" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Hosts({ hosts }: { hosts: readonly CollectorHost[] }) {
  const sourceName = useSourceName();
  const logs = new Set<string>(useSources().flatMap(({ name, kind }) => (kind === 'log' ? [name] : [])));
  return (
    <section className="card panel" aria-label="Hosts">
      <header className="panel-head">
        <h2>Hosts</h2>
        <ChartFiles
          title="Hosts"
          table={() => ({
            head: ['Host', 'Source', 'Versions', 'Hits', 'Sample rates', 'Last seen'],
            rows: hosts.map((one) => [
              ...[one.host, one.source, one.versions.join(' '), one.hits, one.sample_rates.join(' ')],
              one.last_seen ?? '',
            ]),
          })}
        />
      </header>
      <div className="table-card">
        <table className="table data-table" aria-label="Hosts">
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Sent by</th>
              <th scope="col">State</th>
              <th scope="col" className="cell-figure">
                Hits
              </th>
              <th scope="col" className="cell-figure" data-rank="2">
                Sample rate
              </th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {hosts.map((one) => (
              <tr key={`${one.host} ${one.source}`}>
                <th scope="row" className="mono break">
                  {visible(one.host)}
                </th>
                <td data-label="Sent by" data-wide="true">
                  {sourceName(one.source)}
                  {one.versions.length > 0 && (
                    <span className="cell-detail mono">
                      {one.versions
                        .map((version) => (version === '' ? 'before 0.4.0' : visible(version)))
                        .join(', ')}
                    </span>
                  )}
                </td>
                <td data-label="State">
                  <State of={one} />
                </td>
                <td className="cell-figure" data-label="Hits">
                  <VisitsLink narrow={{ ...EVERYONE, host: one.host, source: one.source }}>
                    {countText(one.hits)}
                  </VisitsLink>
                </td>
                <td className="cell-figure" data-rank="2" data-label="Sample rate">
                  {logs.has(one.source) ? (
                    <span className="quiet">sends none</span>
                  ) : one.sample_rates.length === 0 ? (
                    <span className="quiet">no sample yet</span>
                  ) : (
                    one.sample_rates.map(shareText).join(', ')
                  )}
                </td>
                <td className="cell-time">
                  <Time value={one.last_seen} form="ago" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function State({ of: { stale, quiet } }: { of: Pick<CollectorVersion, 'stale' | 'quiet'> }) {
  if (quiet) return <Mark tone="bad" title="No hits for a day" />;
  return stale ? <Mark tone="wait" title="Out of date" /> : <Mark tone="good" title="Sending" />;
}

type CollectorsAnswer = ReportAnswer<'collectors'>;
type CollectorVersion = CollectorsAnswer['versions'][number];
type CollectorHost = CollectorsAnswer['hosts'][number];
