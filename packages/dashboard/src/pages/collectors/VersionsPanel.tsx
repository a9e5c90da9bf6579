import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { Term } from '../../features/glossary/Term.tsx';
import { countText } from '../../features/reports/figures.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { Time } from '../../parts/Time.tsx';
import { Sender } from './Sender.tsx';
import { VersionState } from './SenderState.tsx';
import { type CollectorVersion, EVERYONE, hostNames } from './senders.ts';

/** The versions of each kind of collector, newest first. Folded: the hosts say what is to be done, this says how much each version sent. */
export function VersionsPanel({ versions }: { versions: readonly CollectorVersion[] }) {
  return (
    <details className="card panel versions">
      <summary>Visits and samples by version</summary>
      <div className="versions-files">
        <ChartFiles
          title="Collector versions"
          table={() => ({
            head: ['Source', 'Version', 'Latest', 'Received', 'Samples', 'Hosts', 'Last seen'],
            rows: versions.map((one) => [
              ...[one.source, one.version, one.latest_version ?? '', one.hits, one.samples, one.host_count],
              one.last_seen ?? '',
            ]),
          })}
        />
      </div>
      <div className="table-card">
        <table className="table data-table" aria-label="Collector versions" data-labels="above">
          <thead>
            <tr>
              <th scope="col">Collector</th>
              <th scope="col">Latest</th>
              <th scope="col">State</th>
              <th scope="col" className="cell-figure">
                Received
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
                <th scope="row">
                  <Sender source={one.source} versions={[one.version]} />
                </th>
                <td data-label="Latest">{one.latest_version ?? <span className="quiet">–</span>}</td>
                <td data-label="State">
                  <VersionState of={one} />
                </td>
                <td className="cell-figure" data-label="Received">
                  <VisitsLink narrow={{ ...EVERYONE, source: one.source, ...withVersion(one.version) }}>
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
                        ...withVersion(one.version),
                      }}
                      of="that are samples"
                    >
                      {countText(one.samples)}
                    </VisitsLink>
                  )}
                </td>
                <td data-rank="2" data-label="Hosts" data-wide="true" className="cell-name">
                  <HostNames of={one} />
                </td>
                <td className="cell-time">
                  <Time value={one.last_seen} form="ago" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function HostNames({ of: { hosts, host_count: count } }: { of: CollectorVersion }) {
  const { names, more } = hostNames(hosts, count);
  return (
    <>
      <span className="mono">{names}</span>
      {more}
    </>
  );
}

const withVersion = (version: string): VisitChange => (version === '' ? {} : { version });
