import { DAY_MS } from '@ghostlight/core/time';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { NextAt } from '../../features/deliveries/Outcome.tsx';
import { TryNow } from '../../features/deliveries/TryNow.tsx';
import type { Destination } from '../../features/destinations/api.ts';
import { remedyOf } from '../../features/destinations/messages.ts';
import { useChange } from '../../features/destinations/useChange.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { counted } from '../../format/names.ts';
import { IconInfo, IconWarning } from '../../parts/icons.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time, useNow } from '../../parts/Time.tsx';

interface AlarmNoticeProps {
  property: Property;
  destination: Destination;
  /** Who takes or refuses what is sent: `Meta`. */
  subject: string;
}

/** Why sending has stopped or waits, with the platform's message, and what to do; empty while it works. */
export function AlarmNotice({ property, destination, subject }: AlarmNoticeProps) {
  const now = useNow();
  const { alarm, health, state } = destination;
  if (alarm !== null) return <Alarmed {...{ property, destination, subject, alarm }} />;
  const until = health.not_before === null ? 0 : Date.parse(health.not_before);
  if (state !== 'active' || !(until > now)) return null;
  return (
    <div className="notice notice-wait">
      <IconWarning />
      <p>
        {health.failures > 0 ? (
          <>
            <strong>
              {health.failures === 1
                ? 'The last attempt failed.'
                : `The last ${health.failures.toLocaleString('en')} attempts failed.`}
            </strong>{' '}
            {health.waiting > 0 && `${counted(health.waiting, 'delivery is', 'deliveries are')} waiting. `}
            Next try <NextAt value={health.not_before} />.
          </>
        ) : (
          <>
            <strong>{subject} accepts no requests for now.</strong> Next try{' '}
            <NextAt value={health.not_before} />. Conversions wait here until then.
          </>
        )}
      </p>
      {health.failures > 0 && (
        <span className="notice-acts">
          {health.waiting > 0 && <TryNow property={property} destination={destination} />}
          <Link
            to="/p/$propertyId/deliveries"
            params={{ propertyId: property.id }}
            search={{ destination: destination.id, status: 'retry' }}
            className="button button-small"
          >
            See attempts
          </Link>
        </span>
      )}
    </div>
  );
}

interface HeldNoticeProps extends AlarmNoticeProps {
  /** The oldest conversion that the platform takes, in days; null: of any age. */
  maxAgeDays: number | null;
}

/** What becomes of the conversions that wait for a paused destination. */
export function HeldNotice({ property, destination, subject, maxAgeDays }: HeldNoticeProps) {
  const { id, name, state, health } = destination;
  const { mutate, isPending, error } = useChange(property.id, id, `${name} sends again`);
  const now = useNow();
  if (state !== 'paused' || health.waiting === 0) return null;
  // They happened at the latest when they arrived.
  const end =
    maxAgeDays === null || health.oldest_waiting_at === null
      ? null
      : Date.parse(health.oldest_waiting_at) + maxAgeDays * DAY_MS;
  return (
    <div className={`notice ${end === null ? '' : 'notice-wait'}`}>
      {end === null ? <IconInfo /> : <IconWarning />}
      <p>
        <strong>{counted(health.waiting, 'conversion waits', 'conversions wait')} until you resume.</strong>
        {end !== null &&
          (end > now ? (
            <>
              {' '}
              By <Time value={end} form="short" />, the oldest is too old for {subject} ({maxAgeDays} days)
              and will be skipped.
            </>
          ) : (
            ` Those older than ${maxAgeDays} days will be skipped: ${subject} does not accept them.`
          ))}
      </p>
      <RequirePermission>
        <button
          type="button"
          className="button button-small"
          disabled={isPending}
          onClick={() => mutate({ paused: false })}
        >
          Resume<span className="visually-hidden"> {name}</span>
        </button>
      </RequirePermission>
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}

function Alarmed({
  property,
  destination,
  subject,
  alarm,
}: AlarmNoticeProps & { alarm: NonNullable<Destination['alarm']> }) {
  const { mutate, isPending, error } = useChange(
    property.id,
    destination.id,
    `${destination.name} sends again`,
  );
  return (
    <div className="notice notice-bad alarm">
      <IconWarning label="Needs attention" />
      <div className="alarm-body">
        <p>
          <strong>
            {subject} rejected the {alarm.kind === 'auth' ? 'credentials' : 'settings'}
          </strong>{' '}
          <span className="alarm-at">
            <Time value={alarm.at} form="ago" />
          </span>
        </p>
        <p className="alarm-said break">
          {alarm.message} {alarm.code !== '' && <code>{alarm.code}</code>}
        </p>
        <p>{remedyOf(alarm)}</p>
        <div className="panel-actions">
          <Link
            to="/p/$propertyId/destinations/$destinationId"
            params={{ propertyId: property.id, destinationId: destination.id }}
            search={{ view: 'settings' }}
            className="button button-small"
          >
            {alarm.kind === 'auth' ? 'Replace credentials' : 'Open the settings'}
          </Link>
          <RequirePermission>
            <button
              type="button"
              className="button button-small"
              disabled={isPending}
              onClick={() => mutate({ clear_alarm: true })}
            >
              {isPending ? 'One moment…' : 'Resume sending'}
            </button>
          </RequirePermission>
        </div>
        {error !== null && <ErrorState error={error} />}
      </div>
    </div>
  );
}
