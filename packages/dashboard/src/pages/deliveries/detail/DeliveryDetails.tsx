import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { formatMoney } from '../../../features/conversions/money.ts';
import type { DeliveryDetail } from '../../../features/deliveries/api.ts';
import { Exchange, Notes } from '../../../features/deliveries/Exchange.tsx';
import { GUARANTEE_WORDS } from '../../../features/destinations/messages.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { visible } from '../../../format/visible.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { ReplayControl } from '../replay/ReplayControl.tsx';
import { Remedy } from './Remedy.tsx';
import { Way } from './Way.tsx';

/** The whole way of one conversion to one platform: what it came to and what to do, each attempt, what was sent and said. */
export function DeliveryDetails({ property, item }: { property: Property; item: DeliveryDetail }) {
  const { guarantee } = item;
  const facts = (
    [
      ['Conversion id', item.conversion_id],
      ['Sent as', item.platform_event ?? ''],
      ['Recorded as', item.id],
    ] as const
  ).filter(([, value]) => value !== '');
  return (
    <>
      <section className="delivery-said">
        <p className="drawer-said">{item.explanation}</p>
        <div className="panel-actions">
          <ForWhoMay>
            <ReplayControl property={property} item={item} />
          </ForWhoMay>
          <Remedy property={property} item={item} />
          <Link
            to="/p/$propertyId/conversions"
            params={{ propertyId: property.id }}
            search={{ open: item.conversion }}
            className="button button-small"
          >
            Open the conversion
            <IconArrow />
          </Link>
        </div>
      </section>
      <Notes notes={item.notes} />
      <section>
        <h3>Its way</h3>
        <Way item={item} />
      </section>
      <dl className="delivery-facts">
        {item.value !== null && (
          <div>
            <dt>Value</dt>
            <dd className="number">{formatMoney({ value: item.value, currency: item.currency ?? '' })}</dd>
          </div>
        )}
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono break">{visible(value)}</dd>
            <dd>
              <CopyButton text={value} what={`the ${name.toLowerCase()}`} />
            </dd>
          </div>
        ))}
        {guarantee !== null && (
          <div>
            <dt>Promise</dt>
            <dd>
              {GUARANTEE_WORDS[guarantee].name}
              <p className="quiet">{GUARANTEE_WORDS[guarantee].about}</p>
            </dd>
          </div>
        )}
      </dl>
      <Exchange request={item.request} response={item.response} />
    </>
  );
}
