import { useQuery } from '@tanstack/react-query';
import type { HitClass, Property } from '../../../api/types.ts';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { DayChart } from '../../../features/charts/DayChart.tsx';
import type { Point } from '../../../features/charts/steps.ts';
import { VerdictMark } from '../../../features/visits/VerdictMark.tsx';
import { CLASS_NAMES, counted } from '../../../format/names.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { FETCH_DAYS, webmcpQueries } from '../api.ts';
import type { AgentFetches, Fetches } from '../types.ts';

const SERIES = [{ key: 'fetches', name: 'Fetches', paint: 'ai_bot' }];

/** Fetches of the document by agent. */
export function FetchesPanel({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(webmcpQueries.fetches(property.id));
  return (
    <section className="card panel" aria-label="Fetches by agent">
      <h2>Fetches by agent</h2>
      {isPending && <Skeleton lines={5} />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <p className="aside">
          No agent fetched /.well-known/webmcp.json in the last {FETCH_DAYS} days. The collector counts these
          requests; agents usually fetch the document before they call a tool.
        </p>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <p className="fetch-total">
            <span className="number">{data.total.toLocaleString('en')}</span>
            <span className="quiet">
              {' '}
              {counted(data.total, 'fetch', 'fetches').split(' ')[1]} in {FETCH_DAYS} days
            </span>
          </p>
          <DayChart title="Fetches" points={pointsOf(data.by_day)} series={SERIES} height={120} />
          <FetchTable items={data.items} />
        </>
      )}
    </section>
  );
}

function FetchTable({ items }: { items: readonly AgentFetches[] }) {
  return (
    <div className="table-card">
      <div className="chart-top">
        <span className="quiet">By agent</span>
        <ChartFiles title="Fetches by agent" table={() => tableOf(items)} />
      </div>
      <table className="table fetch-table" aria-label="Agents">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Class</th>
            <th scope="col">Identity</th>
            <th scope="col" className="cell-number">
              Fetches
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ agent, class: hitClass, verified, fetches, last_at }) => (
            <tr key={`${agent} ${hitClass} ${verified}`}>
              <th scope="row" className="break">
                {agent === '' ? 'Others, unnamed' : agent}
              </th>
              <td>
                {CLASS_NAMES[hitClass as HitClass] ?? hitClass}
                {hitClass === 'sample' && ', estimated'}
              </td>
              <td>
                {hitClass === 'ai_bot' || hitClass === 'search_engine' ? (
                  <VerdictMark item={{ class: hitClass, verified, verdict_reason: '' }} />
                ) : (
                  '–'
                )}
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
  );
}

const tableOf = (items: readonly AgentFetches[]) => ({
  head: ['Agent', 'Class', 'Verified', 'Fetches', 'Last'],
  rows: items.map(({ agent, class: hitClass, verified, fetches, last_at }) => [
    ...[agent, hitClass, verified === null ? '' : String(verified), fetches, last_at ?? ''],
  ]),
});

/** The service returns every day, oldest first; the last one is today in the property's zone, and incomplete. */
export const pointsOf = (days: Fetches['by_day']): Point[] =>
  days.map(({ day, fetches }, index) => ({
    day,
    partial: index === days.length - 1,
    values: { fetches },
  }));
