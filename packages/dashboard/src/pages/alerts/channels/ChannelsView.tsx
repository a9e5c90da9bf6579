import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { useAsked } from '../../../features/page/useAsked.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { IconPlus } from '../../../parts/icons.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { alertsQueries } from '../api.ts';
import { AddChannelDialog } from './AddChannelDialog.tsx';
import { ChannelRow } from './ChannelRow.tsx';

/** Beside the tabs, where there are channels already; the view below opens the dialog. */
export function AddAnotherChannel({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.channels(property.id));
  const mayChange = useMay('change');
  if (!mayChange || data === undefined || data.items.length === 0) return null;
  return (
    <Link to="." search={true} hash="add" className="button button-primary button-small">
      <IconPlus />
      Add a channel
    </Link>
  );
}

/** The notification channels. */
export function ChannelsView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.channels(property.id));
  const mayChange = useMay('change');
  const [adding, setAdding] = useState(false);
  useAsked('add', () => setAdding(mayChange));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={5} label="Loading channels" />;
  const add = (
    <RequirePermission>
      <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
        <IconPlus />
        Add a channel
      </button>
    </RequirePermission>
  );
  return (
    <div className="alerts-list">
      {data.items.length === 0 ? (
        <EmptyState title="No channels yet" action={add}>
          Send alerts by e-mail, to Slack, or as signed webhooks. You can test each channel.
        </EmptyState>
      ) : (
        <>
          <ul className="card rule-rows channel-rows" aria-label="Channels">
            {data.items.map((channel) => (
              <ChannelRow key={channel.id} property={property} channel={channel} />
            ))}
          </ul>
          <p className="field-hint">
            Each channel sends at most 20 notifications an hour; further ones wait.
          </p>
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
