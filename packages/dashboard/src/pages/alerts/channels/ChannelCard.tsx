import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { alertsApi, alertsQueries, type Channel, useChannel } from '../api.ts';
import { CHANNEL_NAMES, failureText } from '../messages.ts';
import { EditChannelDialog } from './EditChannelDialog.tsx';

export function ChannelCard({ property, channel }: { property: Property; channel: Channel }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const announce = useAnnounce();
  const change = useChannel(property.id, channel);
  const test = useMutation({
    mutationFn: () => alertsApi.testChannel(property.id, channel.id),
    onSuccess: ({ ok, error }) =>
      announce(ok ? `The test of ${channel.name} was accepted` : `The test failed. ${failureText(error)}`),
  });
  const error = change.error ?? test.error;
  return (
    <li className="card channel-card" data-off={!channel.enabled}>
      <div className="channel-about">
        <h2 className="break">{channel.name}</h2>
        <p className="quiet break">
          {[
            CHANNEL_NAMES[channel.type],
            channel.target ?? '',
            channel.everywhere ? 'all properties of the organization' : '',
            channel.kinds === null ? '' : counted(channel.kinds.length, 'rule'),
          ]
            .filter((part) => part !== '' && part !== channel.name)
            .join(' · ')}
        </p>
      </div>
      <Mark
        {...(channel.target === null
          ? { tone: 'bad' as const, title: 'Enter its address again' }
          : channel.enabled
            ? { tone: 'good' as const, title: 'On' }
            : { tone: 'off' as const, title: 'Off' })}
      />
      <RequirePermission>
        <div className="panel-actions channel-actions">
          <button
            type="button"
            className="button button-small"
            aria-label={`${test.isPending ? 'Sending…' : 'Send a test'} over ${channel.name}`}
            disabled={test.isPending}
            onClick={() => test.mutate()}
          >
            {test.isPending ? 'Sending…' : 'Send a test'}
          </button>
          <button
            type="button"
            className="button button-small"
            aria-label={`Change ${channel.name}`}
            onClick={() => setOpen('edit')}
          >
            Change
          </button>
          <button
            type="button"
            className="button button-small"
            aria-label={`${channel.enabled ? 'Turn off' : 'Turn on'} ${channel.name}`}
            disabled={change.isPending}
            onClick={() => change.mutate({ enabled: !channel.enabled })}
          >
            {channel.enabled ? 'Turn off' : 'Turn on'}
          </button>
          <button
            type="button"
            className="button button-small button-bad"
            aria-label={`Remove ${channel.name}`}
            onClick={() => setOpen('remove')}
          >
            Remove
          </button>
        </div>
      </RequirePermission>
      {test.data !== undefined && !test.isPending && (
        <p className="channel-result" data-ok={test.data.ok}>
          {test.data.ok
            ? 'The channel accepted the test. Check that it arrived.'
            : `The test failed. ${failureText(test.data.error)}`}
        </p>
      )}
      {error !== null && <ErrorState error={error} />}
      {open === 'edit' && (
        <EditChannelDialog property={property} channel={channel} onClose={() => setOpen(null)} />
      )}
      {open === 'remove' && (
        <RemoveChannelDialog property={property} channel={channel} onClose={() => setOpen(null)} />
      )}
    </li>
  );
}

interface RemoveChannelDialogProps {
  property: Property;
  channel: Channel;
  onClose: () => void;
}

function RemoveChannelDialog({ property, channel, onClose }: RemoveChannelDialogProps) {
  return (
    <RemoveDialog
      title={`Remove “${channel.name}”?`}
      word={channel.name}
      action="Remove channel"
      remove={() => alertsApi.removeChannel(property.id, channel.id)}
      outdated={[alertsQueries.channels(property.id)]}
      done={`Removed ${channel.name}`}
      onClose={onClose}
    >
      <p>
        {channel.everywhere
          ? 'It receives no more alerts, for any property of the organization.'
          : 'It receives no more alerts.'}{' '}
        Past messages stay in the list.
      </p>
    </RemoveDialog>
  );
}
