import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { Term } from '../../features/glossary/Term.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { Time } from '../../parts/Time.tsx';
import { useSources } from '../../parts/useSources.ts';
import { Sender } from './Sender.tsx';
import { HostState } from './SenderState.tsx';
import { type CollectorHost, countHosts, EVERYONE } from './senders.ts';

/** A sample represents more visits than the one that was sent. */
const RECEIVED = 'Visits and samples that arrived, each counted once.';

interface HostsPanelProps {
  hosts: readonly CollectorHost[];
  /** No notice above names them all. */
  marksOutdated: boolean;
}

/** Each host with what sends its visits, most visits first. */
export function HostsPanel({ hosts, marksOutdated }: HostsPanelProps) {
  const logs = new Set<string>(useSources().flatMap(({ name, kind }) => (kind === 'log' ? [name] : [])));
  return (
    <section className="card panel" aria-label="Hosts">
      <header className="panel-head">
        <h2>{counted(countHosts(hosts), 'host')}</h2>
        <ChartFiles
          title="Hosts"
          table={() => ({
            head: ['Host', 'Source', 'Versions', 'Received', 'Sample rates', 'Last seen'],
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
                <span title={RECEIVED}>Visits and samples</span>
              </th>
              <th scope="col" className="cell-figure" data-rank="2">
                <Term name="sample">Other traffic sampled</Term>
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
                  <Sender source={one.source} versions={one.versions} />
                </td>
                <td data-label="State">
                  <HostState of={one} marksOutdated={marksOutdated} />
                </td>
                <td className="cell-figure" data-label="Received">
                  <VisitsLink narrow={{ ...EVERYONE, host: one.host, source: one.source }}>
                    {countText(one.hits)}
                  </VisitsLink>
                </td>
                <td className="cell-figure" data-rank="2" data-label="Sampled">
                  {logs.has(one.source) ? (
                    <span className="quiet">not sampled</span>
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
