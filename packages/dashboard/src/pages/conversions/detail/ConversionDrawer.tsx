import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import {
  type Conversion,
  type ConversionDetail,
  conversionsQueries,
} from '../../../features/conversions/api.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { formatMoney } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import { deliveriesQueries } from '../../../features/deliveries/api.ts';
import { shortened, visible } from '../../../format/visible.ts';
import { CodeBlock, CopyButton } from '../../../parts/CopyButton.tsx';
import { Drawer } from '../../../parts/Drawer.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { missingMatch } from '../messages.ts';
import { Actions } from './Actions.tsx';
import { consentText, personalFacts } from './facts.ts';
import { At, Journey } from './Journey.tsx';
import { Products, SentOn } from './sections.tsx';

interface ConversionDrawerProps {
  property: Property;
  conversionId: string;
  onOpen: (id: string) => void;
  onClose: () => void;
}

export function ConversionDrawer({ property, conversionId, onOpen, onClose }: ConversionDrawerProps) {
  const { data, error, refetch } = useQuery(conversionsQueries.conversion(property.id, conversionId));
  return (
    <Drawer
      label="Conversion details"
      title={data === undefined ? 'Conversion' : <Title item={data} />}
      marks={data !== undefined && <MatchMark item={data} />}
      onClose={onClose}
    >
      {data !== undefined && <ConversionDetails property={property} item={data} onOpen={onOpen} />}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the conversion" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}

interface ConversionDetailsProps {
  property: Property;
  item: ConversionDetail;
  /** Opens a refund, or its order. */
  onOpen: (id: string) => void;
}

function ConversionDetails({ property, item, onOpen }: ConversionDetailsProps) {
  const missing = missingMatch(item);
  const hasExtra = Object.keys(item.extra).length > 0;
  const deliveries = useQuery({
    ...deliveriesQueries.latest(property.id, { q: item.id }),
    enabled: item.session_matched,
  });
  return (
    <>
      <Actions property={property} item={item} deliveries={deliveries.data} onOpen={onOpen} />
      <dl className="drawer-facts">
        <div>
          <dt>Value</dt>
          <dd className="drawer-value number">{amountOf(item)}</dd>
        </div>
        {/* The journey ends with it. */}
        {item.touches.length === 0 && (
          <div>
            <dt>Time</dt>
            <dd>
              <At value={item.at} />
            </dd>
          </div>
        )}
      </dl>
      {item.linked_browser_event && (
        <p className="aside">Also reported by the browser: both are linked and counted once.</p>
      )}
      {item.topic !== 'refund' && item.order !== null && (
        <p className="aside">The order was received as another type before, and is counted there.</p>
      )}
      {missing !== '' && <p className="notice">{missing}</p>}
      <section>
        <h3>Journey</h3>
        <Journey touches={item.touches} conversion={item} domain={property.domain} />
      </section>
      {item.session_matched && <SentOn property={property} deliveries={deliveries} />}
      {item.refunds.length > 0 && (
        <section>
          <h3>Refunds</h3>
          <ul className="refunds">
            {item.refunds.map((refund) => (
              <li key={refund.id}>
                <button type="button" className="row-filter number" onClick={() => onOpen(refund.id)}>
                  {amountOf(refund)}
                </button>
                <Time value={refund.at} form="date" />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Products products={item.products} currency={item.currency} />
      <Details item={item} />
      {hasExtra && (
        <CodeBlock
          wrap
          title="Further fields"
          what="the further fields"
          code={JSON.stringify(item.extra, null, 2)}
        />
      )}
      <Personal item={item} />
    </>
  );
}

/** The type and the ID. */
function Title({ item }: { item: ConversionDetail }) {
  const id = visible(item.conversion_id ?? '');
  return (
    <>
      {nameOf(item)} {id !== '' && <span className="drawer-id">{id}</span>}
    </>
  );
}

/** What is known of the customer, masked. */
function Personal({ item: { personal } }: { item: ConversionDetail }) {
  if (personal === null || personal === undefined)
    return <p className="quiet">No personal data is stored: none was sent, or it has expired.</p>;
  return (
    <section>
      <h3>Personal data, masked</h3>
      <dl className="drawer-facts">
        {personalFacts(personal).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="break">{visible(value)}</dd>
          </div>
        ))}
      </dl>
      <details className="drawer-more">
        <summary>Show as JSON</summary>
        <CodeBlock
          wrap
          title="Personal data, masked"
          what="the masked personal data"
          code={JSON.stringify(personal, null, 2)}
        />
      </details>
    </section>
  );
}

/** Its IDs, and the other fields that were sent. */
function Details({ item }: { item: ConversionDetail }) {
  const identifiers = (
    [
      ['Conversion ID', 'the conversion ID', item.conversion_id],
      ['Visitor ID', 'the visitor ID', item.visitor_id],
      ['Ghostlight ID', 'the Ghostlight ID', item.id],
    ] as const
  ).flatMap(([name, what, value]) => (value === null || value === '' ? [] : [{ name, what, value }]));
  return (
    <section>
      <h3>Details</h3>
      <dl className="drawer-facts">
        {identifiers.map(({ name, what, value }) => (
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
        {saidOf(item).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="break">{visible(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The other fields of the conversion, by name. */
function saidOf(item: ConversionDetail): readonly (readonly [string, string])[] {
  const money = (value: string | null) =>
    value === null ? null : formatMoney({ value, currency: item.currency ?? '' });
  return (
    [
      ['Tax', money(item.tax)],
      ['Shipping', money(item.shipping)],
      ['Discount', item.discount_code],
      ['Lead type', item.lead_type],
      ['Consent', consentText(item.consent)],
    ] as const
  ).filter((pair): pair is readonly [(typeof pair)[0], string] => pair[1] !== null && pair[1] !== '');
}

function amountOf(item: Pick<Conversion, 'topic' | 'value' | 'currency'>): string {
  if (item.value === null) return item.topic === 'refund' ? 'the rest of the order' : 'not sent';
  const text = formatMoney({ value: item.value, currency: item.currency ?? '' });
  return item.topic === 'refund' ? `−${text}` : text;
}
