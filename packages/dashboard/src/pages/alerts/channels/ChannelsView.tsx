import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { IconPlus } from '../../../parts/icons.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { alertsQueries } from '../api.ts';
import { AddChannelDialog } from './AddChannelDialog.tsx';
import { ChannelCard } from './ChannelCard.tsx';

/** Who is told. */
export function ChannelsView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.channels(property.id));
  const [adding, setAdding] = useState(false);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={5} label="Loading channels" />;
  const add = (
    <ForWhoMay>
      <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
        <IconPlus />
        Add a channel
      </button>
    </ForWhoMay>
  );
  return (
    <div className="alerts-list">
      {data.items.length === 0 ? (
        <EmptyState title="Nobody is told yet" action={add}>
          Alerts can be mailed, posted to Slack, or posted to a program of yours, signed. Each channel has a
          button to try it.
        </EmptyState>
      ) : (
        <>
          <div className="channels-head">
            <p className="aside">At most 20 messages an hour go over a channel; what comes on top waits.</p>
            {add}
          </div>
          <ul className="channel-cards" aria-label="Channels">
            {data.items.map((channel) => (
              <ChannelCard key={channel.id} property={property} channel={channel} />
            ))}
          </ul>
        </>
      )}
      {adding && (
        <AddChannelDialog
          property={property}
          emailAvailable={data.email_available}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}
