import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { HitClass, Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { type Verdict, verdictOf } from '../../../features/visits/verdict.ts';
import { CLASS_NAMES } from '../../../format/names.ts';
import { Mark, type Words } from '../../../parts/Sign.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { webmcpQueries } from '../api.ts';
import type { AgentFetches } from '../types.ts';

/** Which agents fetched the document. The panel of the fetches, which asks the same, shows an error. */
export function AgentsPanel({ property }: { property: Property }) {
  const { data, isPending } = useQuery(webmcpQueries.fetches(property.id));
  const items = data?.items ?? [];
  // One that all share is no news.
  const hasClasses = new Set(items.map(({ class: hitClass }) => hitClass)).size > 1;
  return (
    <section className="card panel" aria-label="Agents">
      <header className="panel-head">
        <h2>Agents</h2>
        {items.length > 0 && <ChartFiles title="Fetches by agent" table={() => tableOf(items)} />}
      </header>
      {isPending && <Skeleton lines={4} />}
      {data !== undefined && items.length === 0 && (
        <p className="aside">Agents that fetch the document will be listed here.</p>
      )}
      {items.length > 0 && (
        <div className="table-card">
          <table className="table fetch-table" aria-label="Agents">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                {hasClasses && (
                  <th scope="col" className="fetch-class">
                    Class
                  </th>
                )}
                <th scope="col">Identity</th>
                <th scope="col" className="cell-number">
                  Fetches
                </th>
                <th scope="col">Last fetch</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ agent, class: hitClass, verified, fetches, last_at }) => (
                <tr key={`${agent} ${hitClass} ${verified}`}>
                  <th scope="row" className="break">
                    {agent === '' ? (
                      'Others, unnamed'
                    ) : (
                      <Link
                        to="/p/$propertyId/bots"
                        params={{ propertyId: property.id }}
                        search={{ bot: agent }}
                        className="report-link"
                      >
                        {agent}
                      </Link>
                    )}
                  </th>
                  {hasClasses && (
                    <td className="fetch-class">
                      {CLASS_NAMES[hitClass as HitClass] ?? hitClass}
                      {hitClass === 'sample' && ', estimated'}
                    </td>
                  )}
                  <td>
                    <Identity verdict={verdictOf({ class: hitClass as HitClass, verified })} />
                  </td>
                  <td className="cell-number number">{fetches.toLocaleString('en')}</td>
                  <td>
                    <Time value={last_at} form="ago" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const IDENTITIES: Readonly<Record<Verdict, Words>> = {
  verified: { tone: 'good', title: 'Verified' },
  spoofed: { tone: 'bad', title: 'Spoofed' },
  unknown: { tone: 'unknown', title: 'Unknown' },
};

const Identity = ({ verdict }: { verdict: Verdict | null }) =>
  verdict === null ? '–' : <Mark {...IDENTITIES[verdict]} />;

const tableOf = (items: readonly AgentFetches[]) => ({
  head: ['Agent', 'Class', 'Verified', 'Fetches', 'Last'],
  rows: items.map(({ agent, class: hitClass, verified, fetches, last_at }) => [
    ...[agent, hitClass, verified === null ? '' : String(verified), fetches, last_at ?? ''],
  ]),
});
