import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { useAsked } from '../../../features/page/useAsked.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { IconPlus } from '../../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { alertsQueries, type ChannelType } from '../api.ts';
import { CHANNEL_NAMES } from '../messages.ts';
import { AddChannelDialog } from './AddChannelDialog.tsx';
import { ChannelMark } from './ChannelMark.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import { TurnMailOn } from './TurnMailOn.tsx';

/** At the head of the page, where there are channels already; the view below opens the dialog. */
export function AddAnotherChannel({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.channels(property.id));
  const mayChange = useMay('change');
  if (!mayChange || data === undefined || data.items.length === 0) return null;
  return (
    <Link to="." search={true} hash="add" className="button button-primary">
      <IconPlus />
      Add channel
    </Link>
  );
}

/** The channels, or which kinds there are. */
export function ChannelsView({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(alertsQueries.channels(property.id));
  const mayChange = useMay('change');
  /** `any`: a channel was asked for, and no kind of it. */
  const [adding, setAdding] = useState<ChannelType | 'any' | null>(null);
  useAsked('add', () => setAdding(mayChange ? 'any' : null));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={5} label="Loading channels" />;
  return (
    <div className="alerts-list">
      {data.items.length === 0 ? (
        <NoChannels canMail={data.email_available} onAdd={setAdding} />
      ) : (
        <>
          <ul className="card rule-rows channel-rows" aria-label="Channels">
            {data.items.map((channel) => (
              <ChannelRow key={channel.id} property={property} channel={channel} />
            ))}
          </ul>
          <p className="field-hint">At most 20 messages an hour per channel; the rest are sent later.</p>
        </>
      )}
      {adding !== null && (
        <AddChannelDialog
          property={property}
          emailAvailable={data.email_available}
          {...(adding === 'any' ? {} : { first: adding })}
          onClose={() => setAdding(null)}
        />
      )}
    </div>
  );
}

const WAYS: readonly (readonly [ChannelType, about: string])[] = [
  ['email', 'To one address or a mailing list'],
  ['slack', 'To a channel in your workspace'],
  ['webhook', 'Signed JSON to your own endpoint'],
];

/** Before the first channel: a tile for each kind, which opens the dialog on it. Those that work come first. */
function NoChannels({ canMail, onAdd }: { canMail: boolean; onAdd: (type: ChannelType) => void }) {
  const ways = canMail ? WAYS : WAYS.toSorted(([a], [b]) => Number(a === 'email') - Number(b === 'email'));
  return (
    <section aria-labelledby="no-channels">
      <h2 id="no-channels">No channels yet</h2>
      <p className="quiet">
        Until you add one, alerts appear only in the{' '}
        <Link to="." search={{}}>
          Alerts tab
        </Link>
        .
      </p>
      <RequirePermission>
        <ul className="channel-ways">
          {ways.map(([type, about]) => (
            <li key={type}>
              {type === 'email' && !canMail ? (
                <MailIsOff />
              ) : (
                <button type="button" className="way" onClick={() => onAdd(type)}>
                  <ChannelMark type={type} size={24} />
                  <span>
                    <strong>{CHANNEL_NAMES[type]}</strong>
                    <span className="way-about">{about}</span>
                  </span>
                  <IconPlus />
                </button>
              )}
            </li>
          ))}
        </ul>
      </RequirePermission>
      <p className="field-hint channel-sends">
        A channel is sent new bots, spikes, errors and missing data, when they begin and end.{' '}
        <Link to="." search={{ view: 'rules' }}>
          Choose rules
        </Link>
      </p>
    </section>
  );
}

/** Instead of its tile: there is nothing to add as long as the service can't send. */
function MailIsOff() {
  return (
    <div className="way way-off">
      <ChannelMark type="email" size={24} />
      <span>
        <strong>{CHANNEL_NAMES.email}</strong>
        <span className="way-about">This server can’t send mail yet</span>
      </span>
      <TurnMailOn />
    </div>
  );
}
