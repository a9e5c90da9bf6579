import { DAY_MS } from '@ghostlight/core/time';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { ReplayControl } from '../../../features/deliveries/ReplayControl.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { visible } from '../../../format/visible.ts';
import { IconWarning } from '../../../parts/icons.tsx';
import { Time, useNow } from '../../../parts/Time.tsx';

/** How long a failure is shown. */
const RECENT_MS = 7 * DAY_MS;

interface LastFailureProps {
  property: Property;
  destination: Destination;
  /** Undefined: none has failed. */
  last: Delivery | undefined;
}

/** The newest delivery that was given up, with the platform's message and what to do; empty after a week, and while an alarm says it. */
export function LastFailure({ property, destination, last }: LastFailureProps) {
  const now = useNow();
  const at = last?.settled_at ?? last?.created_at;
  if (last === undefined || at === undefined || destination.alarm !== null) return null;
  if (Date.parse(at) < now - RECENT_MS) return null;
  // What came after it was taken: no alarm.
  const isOver = Date.parse(destination.health.last_delivered_at ?? '') > Date.parse(at);
  const search = { destination: destination.id, status: 'dead' as const };
  return (
    <div className={`notice ${isOver ? 'notice-wait' : 'notice-bad'} last-failure`}>
      <IconWarning label="Failed" />
      <div className="alarm-body">
        <p>
          <strong>
            Last failure: {nameOf(last)} <code>{visible(last.conversion_id)}</code>
          </strong>{' '}
          <span className="alarm-at">
            <Time value={at} form="ago" />
          </span>
        </p>
        <p className="alarm-said break">
          {visible(last.message ?? last.reason ?? 'The platform gave no reason.')}
        </p>
        <p>Fix the cause, then send it again: it is not retried automatically.</p>
        <div className="panel-actions">
          <RequirePermission>
            <ReplayControl property={property} item={last} isPrimary />
          </RequirePermission>
          <Link
            to="/p/$propertyId/deliveries"
            params={{ propertyId: property.id }}
            search={{ ...search, open: last.id }}
            className="button button-small"
          >
            See details
          </Link>
          <Link
            to="/p/$propertyId/deliveries"
            params={{ propertyId: property.id }}
            search={search}
            className="button button-small button-plain"
          >
            All failed deliveries
          </Link>
        </div>
      </div>
    </div>
  );
}
