import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type Alert, alertsQueries } from '../api.ts';
import { isNews } from '../messages.ts';
import { AlertRow } from './AlertRow.tsx';
import { NoChannelNotice, NothingYet } from './NothingYet.tsx';
import { StatusLine } from './StatusLine.tsx';

/** Otherwise newest first, as the service sends them. */
const troubleFirst = (alerts: readonly Alert[]): Alert[] =>
  alerts.toSorted((a, b) => Number(isNews(a)) - Number(isNews(b)));

/** How things are, then open alerts, then resolved ones, newest first. */
export function AlertsList({ property }: { property: Property }) {
  const open = useQuery(alertsQueries.open(property.id));
  const over = useInfiniteQuery(alertsQueries.over(property.id));
  // The note about missing channels is above the alerts, so both appear together.
  const channels = useQuery(alertsQueries.channels(property.id));
  const error = open.error ?? over.error;
  if (error !== null)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          void open.refetch();
          void over.refetch();
        }}
      />
    );
  if (open.data === undefined || over.data === undefined || channels.isPending)
    return <Skeleton lines={7} label="Loading alerts" />;
  const past = over.data.pages.flatMap(({ items }) => items);
  const status = (
    <StatusLine open={open.data.open} alerts={open.data.items} checkedAt={open.data.checked_at} />
  );
  if (open.data.items.length === 0 && past.length === 0)
    return <NothingYet property={property} status={status} />;
  return (
    <div className="alerts-list">
      {status}
      <NoChannelNotice property={property} />
      {open.data.items.length > 0 && (
        <section aria-labelledby="alerts-open">
          <h2 id="alerts-open">Open</h2>
          <ul className="card alert-rows">
            {troubleFirst(open.data.items).map((alert) => (
              <AlertRow key={alert.id} property={property} alert={alert} />
            ))}
          </ul>
        </section>
      )}
      {past.length > 0 && (
        <section aria-labelledby="alerts-over">
          <h2 id="alerts-over">Resolved</h2>
          <ul className="card alert-rows">
            {past.map((alert) => (
              <AlertRow key={alert.id} property={property} alert={alert} />
            ))}
          </ul>
          {over.hasNextPage && (
            <button
              type="button"
              className="button alerts-more"
              disabled={over.isFetchingNextPage}
              onClick={() => void over.fetchNextPage()}
            >
              {over.isFetchingNextPage ? 'Loading…' : 'Show older alerts'}
            </button>
          )}
        </section>
      )}
    </div>
  );
}
