import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ChartRoom, ChartTools } from '../../../features/charts/ChartHead.tsx';
import { DayChart } from '../../../features/charts/DayChart.tsx';
import type { Point } from '../../../features/charts/steps.ts';
import { counted } from '../../../format/names.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { FETCH_DAYS, webmcpQueries } from '../api.ts';
import type { AgentFetches, Fetches } from '../types.ts';

const SERIES = [{ key: 'fetches', name: 'Fetches', paint: 'ai_bot' }];

/** Fetches of the document, in all and per day. */
export function FetchesPanel({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(webmcpQueries.fetches(property.id));
  return (
    <section className="card panel" aria-label="Fetches per day">
      {/* How many they are is the heading, once that is known. */}
      {(data === undefined || data.total === 0) && <h2>Fetches per day</h2>}
      {isPending && <Skeleton lines={8} />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <p className="aside">
          No agent fetched /.well-known/webmcp.json in the last {FETCH_DAYS} days. The collector counts these
          requests; agents usually fetch the document before they call a tool.
        </p>
      )}
      {data !== undefined && data.total > 0 && (
        <ChartRoom>
          <header className="panel-head chart-head">
            <h2>
              {counted(data.total, 'fetch', 'fetches')} {agentsOf(data.items)}
            </h2>
            <ChartTools />
          </header>
          <p className="quiet">
            Requests for webmcp.json in the last {FETCH_DAYS} days. Tool calls happen on your site and aren’t
            counted here.
          </p>
          <DayChart title="Fetches" points={pointsOf(data.by_day)} series={SERIES} height={100} />
        </ChartRoom>
      )}
    </section>
  );
}

/** `by 5 agents and others`: what has no name may be several agents. */
export function agentsOf(items: readonly Pick<AgentFetches, 'agent'>[]): string {
  const names = new Set(items.map(({ agent }) => agent));
  const others = names.delete('');
  if (names.size === 0) return 'by unnamed agents';
  return `by ${counted(names.size, 'agent')}${others ? ' and others' : ''}`;
}

/** The service returns every day, oldest first; the last one is today in the property's zone, and incomplete. */
export const pointsOf = (days: Fetches['by_day']): Point[] =>
  days.map(({ day, fetches }, index) => ({
    day,
    partial: index === days.length - 1,
    values: { fetches },
  }));
