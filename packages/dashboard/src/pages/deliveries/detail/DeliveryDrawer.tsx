import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { formatMoney } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import { type DeliveryDetail, deliveriesQueries } from '../../../features/deliveries/api.ts';
import { Exchange, Notes } from '../../../features/deliveries/Exchange.tsx';
import { NextAt, nextOf } from '../../../features/deliveries/Outcome.tsx';
import { ReplayControl } from '../../../features/deliveries/ReplayControl.tsx';
import { StateMark } from '../../../features/deliveries/StateMark.tsx';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { guaranteeWords } from '../../../features/destinations/messages.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { shortened, visible } from '../../../format/visible.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Drawer } from '../../../parts/Drawer.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { useNow, useTimeZone } from '../../../parts/Time.tsx';
import { ResumeControl } from './ResumeControl.tsx';
import { Way } from './Timeline.tsx';

interface DeliveryDrawerProps {
  property: Property;
  deliveryId: string;
  onClose: () => void;
}

export function DeliveryDrawer({ property, deliveryId, onClose }: DeliveryDrawerProps) {
  const { data, error, refetch } = useQuery(deliveriesQueries.delivery(property.id, deliveryId));
  return (
    <Drawer
      label="Delivery details"
      title={data === undefined ? 'Delivery' : `${nameOf(data)} to ${data.destination.name}`}
      marks={data !== undefined && <StateMark status={data.status} />}
      onClose={onClose}
    >
      {data !== undefined && <DeliveryDetails property={property} item={data} />}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the delivery" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}

/** One conversion at one platform: the outcome and what to do, the timeline, request and answer. */
function DeliveryDetails({ property, item }: { property: Property; item: DeliveryDetail }) {
  const { guarantee } = item;
  const { data: destinations } = useQuery(destinationsQueries.list(property.id));
  const { data: platforms } = useQuery(destinationsQueries.platforms());
  const platform = platforms?.find((one) => one.platform === item.platform);
  const destination = destinations?.find(({ id }) => id === item.destination.id);
  const isHeld = destination?.state === 'paused' && (item.status === 'pending' || item.status === 'retry');
  const now = useNow();
  const timeZone = useTimeZone();
  // The whole destination waits for its next attempt, not this delivery alone.
  const blocked =
    item.status === 'retry' &&
    destination?.state === 'active' &&
    Date.parse(destination.health.not_before ?? '') > now;
  const cause = causeOf(item);
  const facts = (
    [
      ['Conversion ID', 'the conversion ID', item.conversion_id],
      ['Sent as', 'the name that it is sent as', item.platform_event ?? ''],
      ['Delivery ID', 'the delivery ID', item.id],
    ] as const
  ).filter(([, , value]) => value !== '');
  return (
    <>
      <section className="delivery-said">
        {cause !== null && <p className="delivery-cause break">{visible(cause)}</p>}
        {blocked ? (
          <p className="drawer-said">
            Next try <NextAt value={nextOf(item, destination)} />. Other deliveries to this destination wait
            until then.
          </p>
        ) : (
          <p className="drawer-said">{item.explanation}</p>
        )}
        <div className="panel-actions">
          <RequirePermission>
            <ReplayControl property={property} item={item} isPrimary />
            {isHeld && <ResumeControl property={property} destination={destination} />}
          </RequirePermission>
          <Remedy property={property} item={item} />
          <Link
            to="/p/$propertyId/conversions"
            params={{ propertyId: property.id }}
            search={{ open: item.conversion }}
            className="button button-small"
          >
            Conversion
            <IconArrow />
          </Link>
        </div>
      </section>
      <Notes notes={item.notes} />
      <section>
        <h3>Timeline{timeZone !== null && <span className="quiet"> ({timeZone})</span>}</h3>
        <Way item={item} destination={destination} said={cause} />
      </section>
      <dl className="delivery-facts">
        {item.value !== null && (
          <div>
            <dt>Value</dt>
            <dd className="number">{formatMoney({ value: item.value, currency: item.currency ?? '' })}</dd>
          </div>
        )}
        {facts.map(([name, what, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono break" title={value}>
              {value === item.id ? shortened(value) : visible(value)}
            </dd>
            <dd>
              <CopyButton text={value} what={what} />
            </dd>
          </div>
        ))}
        {guarantee !== null && (
          <div>
            <dt>Guarantee</dt>
            <dd title={guaranteeWords(guarantee, item.platform, platform?.title).about}>
              {guaranteeWords(guarantee, item.platform, platform?.title).name}
            </dd>
          </div>
        )}
      </dl>
      <Exchange request={item.request} response={item.response} />
    </>
  );
}

/** What an attempt met, in the platform's words; null while nothing went wrong, and where the explanation says it. */
function causeOf({ status, message }: DeliveryDetail): string | null {
  return status === 'retry' || status === 'dead' || status === 'unknown' ? message : null;
}

/** A link to the page where the reason can be fixed; empty when there is none. */
function Remedy({ property, item }: { property: Property; item: DeliveryDetail }) {
  const { reason, destination } = item;
  if (reason === 'consent_denied') {
    return (
      <Link
        to="/p/$propertyId/webhooks"
        params={{ propertyId: property.id }}
        search={{ view: 'settings' }}
        className="button button-small"
      >
        Consent settings
        <IconArrow />
      </Link>
    );
  }
  if (destination.deleted) return null;
  const isMapping = reason === 'no_mapping' || reason === 'turned_off';
  return (
    <Link
      to="/p/$propertyId/destinations/$destinationId"
      params={{ propertyId: property.id, destinationId: destination.id }}
      search={isMapping ? { view: 'events' } : {}}
      className="button button-small"
    >
      {isMapping ? 'Event mapping' : 'Destination'}
      <IconArrow />
    </Link>
  );
}
