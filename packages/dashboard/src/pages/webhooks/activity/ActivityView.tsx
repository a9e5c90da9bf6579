import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { IconArrow } from '../../../parts/icons.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { chosenRequests } from '../model/requests.ts';
import { useChoice } from '../search.ts';
import { ActivityBar } from './ActivityBar.tsx';
import { ActivityTable } from './ActivityTable.tsx';

const FILTERS = ['status', 'matched', 'q'] as const;

/** The last twenty requests with their details. Not refreshed while the tab is hidden. */
export function ActivityView({ property, enabled }: { property: Property; enabled: boolean }) {
  const [paused, setPaused] = useState(false);
  const [{ request = null, ...filters }, choose] = useChoice();
  const { status } = filters;
  const { data, error, isPending, refetch } = useQuery(
    webhooksQueries.activity(property.id, { paused, status }),
  );
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined);
  const clear = () => choose({ status: undefined, matched: undefined, q: undefined });
  const shown = data === undefined ? [] : chosenRequests(data, filters);
  const hasNone = data?.length === 0 && !isFiltered;
  return (
    <div className="requests">
      {!hasNone && (
        <ActivityBar
          filters={filters}
          isFiltered={isFiltered}
          state={paused ? 'paused' : error === null ? 'polling' : 'lost'}
          count={data === undefined ? null : { shown: shown.length, of: data.length }}
          onChange={choose}
          onClear={clear}
          onPause={() => setPaused(!paused)}
        />
      )}
      {isPending && <Skeleton lines={8} label="Loading activity" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {hasNone && (
        <EmptyState title="No requests yet">
          {enabled
            ? 'Each request appears here with its body, its outcome, and why it did or did not match.'
            : 'Receiving is not enabled: requests get 404 and are not recorded.'}
        </EmptyState>
      )}
      {data !== undefined && isFiltered && shown.length === 0 && (
        <EmptyState
          title="No requests match these filters"
          action={
            <button type="button" className="button" onClick={clear}>
              Clear filters
            </button>
          }
        >
          Only the newest 20 requests of each result are kept. The Conversions page has all conversions.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <ActivityTable
          property={property}
          items={shown}
          openId={request}
          onOpen={(id) => choose({ request: id })}
        />
      )}
      {shown.length > 0 && (
        <p className="aside requests-more">
          Only the newest 20 requests of each result are kept.
          <Link
            to="/p/$propertyId/conversions"
            params={{ propertyId: property.id }}
            className="button button-small"
          >
            All conversions
            <IconArrow />
          </Link>
        </p>
      )}
    </div>
  );
}
