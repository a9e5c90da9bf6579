import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { RowMenu } from '../../../parts/list/RowMenu.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { Switch } from '../../../parts/Switch.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { alertsApi, alertsQueries, type Channel, useChannel } from '../api.ts';
import { CHANNEL_NAMES, failureText, lastWords } from '../messages.ts';
import { ChannelMark } from './ChannelMark.tsx';
import { EditChannelDialog } from './EditChannelDialog.tsx';

export function ChannelRow({ property, channel }: { property: Property; channel: Channel }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const announce = useAnnounce();
  const rules = useQuery(alertsQueries.rules(property.id)).data?.rules ?? [];
  const titles = new Map(rules.map(({ kind, title }) => [kind, title] as const));
  const change = useChannel(property.id, channel);
  const test = useMutation({
    mutationFn: () => alertsApi.testChannel(property.id, channel.id),
    onSuccess: ({ ok, error }) =>
      announce(ok ? `The test of ${channel.name} was accepted` : `The test failed. ${failureText(error)}`),
  });
  const error = change.error ?? test.error;
  const tests = test.isPending ? 'Sending…' : 'Send a test';
  // Optimistic: shown before the service has confirmed it.
  const isOn = change.isPending ? (change.variables.enabled ?? channel.enabled) : channel.enabled;
  return (
    <li className="rule-row" data-off={!isOn}>
      <RequirePermission>
        <Switch
          label={
            <span className="break">
              <ChannelMark type={channel.type} size={24} />
              {channel.name}
            </span>
          }
          hint={
            <>
              <span className="rule-sentence break">
                {[addressOf(channel), reachOf(channel, property, titles)]
                  .filter((line) => line !== '')
                  .map((line) => (
                    <span key={line} className="channel-facts">
                      {line}
                    </span>
                  ))}
              </span>
              {channel.target === null && (
                <span className="rule-note">
                  <Mark tone="bad" title="Enter its address again" />
                </span>
              )}
            </>
          }
          on={isOn}
          onSwitch={(enabled) => change.mutate({ enabled })}
        />
        <LastAlert last={channel.last} />
        <div className="rule-actions">
          <button
            type="button"
            className="button button-small"
            aria-label={`${tests} over ${channel.name}`}
            disabled={test.isPending}
            onClick={() => test.mutate()}
          >
            {tests}
          </button>
          <RowMenu
            name={channel.name}
            actions={[
              { label: 'Change', onSelect: () => setOpen('edit') },
              { label: 'Remove', onSelect: () => setOpen('remove'), isBad: true },
            ]}
          />
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

/** When it was sent an alert last, and why it did not take it. */
function LastAlert({ last }: Pick<Channel, 'last'>) {
  return (
    <div className="channel-last">
      {last === null ? (
        <span className="quiet">No alert sent yet</span>
      ) : (
        <span>
          <Mark {...lastWords(last)} />{' '}
          <span className="quiet">
            <Time value={last.at} form="short" />
          </span>
        </span>
      )}
      {last !== null && last.error !== null && <p className="break">{failureText(last.error)}</p>}
    </div>
  );
}

/** Rules that are named; more are counted. */
const NAMED = 2;

/** Its kind and its address: `Webhook · hooks.shop.example`. That of Slack is the same for all of them. */
const addressOf = ({ type, target, name }: Channel): string =>
  [CHANNEL_NAMES[type], type === 'slack' ? '' : (target ?? '')]
    .filter((part) => part !== '' && part !== name)
    .join(' · ');

/** What it gets, of whom: `Rules: Spike, Quota · Shop only`. */
function reachOf(
  { everywhere, kinds }: Channel,
  { name }: Property,
  titles: ReadonlyMap<string, string>,
): string {
  return `${rulesOf(kinds, titles)} · ${everywhere ? 'all properties' : `${name} only`}`;
}

function rulesOf(kinds: Channel['kinds'], titles: ReadonlyMap<string, string>): string {
  if (kinds === null) return 'All rules';
  if (kinds.length === 0) return 'No rules';
  if (kinds.length > NAMED) return `${kinds.length} of ${titles.size} rules`;
  return `${kinds.length === 1 ? 'Rule' : 'Rules'}: ${kinds.map((kind) => titles.get(kind) ?? kind).join(', ')}`;
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
