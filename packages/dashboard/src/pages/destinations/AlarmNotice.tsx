import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import type { Destination } from '../../features/destinations/api.ts';
import { remedyOf } from '../../features/destinations/messages.ts';
import { useChange } from '../../features/destinations/useChange.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time, useNow } from '../../parts/Time.tsx';

interface AlarmNoticeProps {
  property: Property;
  destination: Destination;
}

/** Why sending has stopped, with the platform's message, and what to do; empty while it works. */
export function AlarmNotice({ property, destination }: AlarmNoticeProps) {
  const now = useNow();
  const { alarm, health } = destination;
  if (alarm !== null) return <Alarmed property={property} destination={destination} alarm={alarm} />;
  const until = health.not_before === null ? 0 : Date.parse(health.not_before);
  if (destination.state !== 'active' || !(until > now)) return null;
  return (
    <div className="notice notice-wait">
      <IconWarning />
      <p>
        {health.failures > 0 ? (
          <>
            <strong>Failing:</strong>{' '}
            {health.failures === 1
              ? 'the last request failed'
              : `${health.failures} requests in a row failed`}
            . Next try at <Time value={until} form="clock" />.
          </>
        ) : (
          <>
            <strong>Asked to wait:</strong> the platform accepts no requests until{' '}
            <Time value={until} form="clock" />. Conversions wait here until then.
          </>
        )}
      </p>
    </div>
  );
}

function Alarmed({
  property,
  destination,
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
            {alarm.kind === 'auth'
              ? 'The platform rejected the credentials'
              : 'The platform rejected the settings'}
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
