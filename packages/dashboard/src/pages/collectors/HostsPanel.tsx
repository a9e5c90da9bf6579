import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { visible } from '../../format/visible.ts';
import { Time } from '../../parts/Time.tsx';
import { useSources } from '../../parts/useSources.ts';
import { Sender } from './Sender.tsx';
import { HostState } from './SenderState.tsx';
import { type CollectorHost, type CollectorVersion, EVERYONE, hostsSentence } from './senders.ts';

interface HostsPanelProps {
  hosts: readonly CollectorHost[];
  /** They name the latest version of each collector. */
  versions: readonly CollectorVersion[];
}

/** Each host with what sends its hits, most hits first. */
export function HostsPanel({ hosts, versions }: HostsPanelProps) {
  const latest = new Map(versions.map(({ source, latest_version }) => [source, latest_version]));
  const logs = new Set<string>(useSources().flatMap(({ name, kind }) => (kind === 'log' ? [name] : [])));
  return (
    <section className="card panel" aria-label="Hosts">
      <header className="panel-head">
        <h2>{hostsSentence(hosts)}</h2>
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
        <table className="table data-table hosts-table" aria-label="Hosts">
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
                <td data-wide="true">
                  <Sender
                    source={one.source}
                    versions={one.versions}
                    update={one.stale && !one.quiet ? latest.get(one.source) : null}
                  />
                </td>
                <td data-label="State">
                  <HostState of={one} />
                </td>
                <td className="cell-figure" data-label="Hits">
                  <VisitsLink narrow={{ ...EVERYONE, host: one.host, source: one.source }}>
                    {countText(one.hits)}
                  </VisitsLink>
                </td>
                <td className="cell-figure" data-rank="2" data-label="Sample rate">
                  {logs.has(one.source) ? (
                    <span className="quiet">not sampled</span>
                  ) : one.sample_rates.length === 0 ? (
                    <span className="quiet">no sample yet</span>
                  ) : (
                    <>
                      {one.sample_rates.map(shareText).join(', ')}{' '}
                      <span className="quiet">of other traffic</span>
                    </>
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
