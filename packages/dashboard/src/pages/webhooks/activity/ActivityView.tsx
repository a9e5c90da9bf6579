import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { IconPause, IconPlay } from '../../../parts/icons.tsx';
import { useKeyPress } from '../../../parts/shortcuts.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { useChoice } from '../receive/useChoice.ts';
import { ActivityTable } from './ActivityTable.tsx';
import { RequestDrawer } from './RequestDrawer.tsx';

/** The last twenty requests, each to be opened. Nothing is asked for while the tab is hidden. */
export function ActivityView({ property, enabled }: { property: Property; enabled: boolean }) {
  const [paused, setPaused] = useState(false);
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.activity(property.id, paused));
  const [{ request = null }, choose] = useChoice();
  const open = (id: string) => choose({ request: id });
  const close = () => choose({ request: '' });
  useKeyPress((event) => {
    if (event.key === 'Escape' && request !== null) close();
  });
  return (
    <div className="live" data-open={request !== null}>
      <div className="live-main requests">
        <div className="activity-bar">
          <p className="connection" data-state={paused ? 'paused' : error === null ? 'polling' : 'lost'}>
            <span className="connection-lamp" aria-hidden="true" />
            {paused
              ? 'Paused: the list stands still'
              : error === null
                ? 'The last 20 requests, renewed every 3 seconds'
                : 'The service can’t be reached; trying again'}
          </p>
          <button type="button" className="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? <IconPlay /> : <IconPause />}
            {paused ? 'Resume' : 'Pause'}
          </button>
        </div>
        {isPending && <Skeleton lines={8} label="Loading activity" />}
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState title="Nothing was posted yet">
            {enabled
              ? 'Each request appears here with what was received, how it was judged, and why it did or did not match.'
              : 'Receiving is not enabled: requests are answered 404 and not recorded.'}
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <ActivityTable items={data} openId={request} onOpen={open} />
        )}
      </div>
      {request !== null && (
        <RequestDrawer key={request} property={property} requestId={request} onClose={close} />
      )}
    </div>
  );
}
