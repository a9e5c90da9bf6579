import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { Product } from '../../../features/conversions/api.ts';
import { formatMoney } from '../../../features/conversions/money.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { DeliveryLines } from '../../../features/deliveries/DeliveryLines.tsx';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { visible } from '../../../format/visible.ts';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';

/** Products that are listed; a sender may post hundreds. */
const SHOWN = 50;

export function Products({ products, currency }: { products: readonly Product[]; currency: string | null }) {
  if (products.length === 0) return null;
  return (
    <section>
      <h3>Products</h3>
      <ul className="products">
        {products.slice(0, SHOWN).map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order may list the same product twice
          <li key={index}>
            <span className="number">{product.quantity ?? 1} ×</span>
            <span className="break">
              {visible(product.name || product.id || 'unnamed')}
              {product.name && product.id && <code className="quiet"> {visible(product.id)}</code>}
            </span>
            <span className="number products-price">
              {product.price === null || product.price === undefined
                ? ''
                : formatMoney({ value: String(product.price), currency: currency ?? '' })}
            </span>
          </li>
        ))}
      </ul>
      {products.length > SHOWN && <p className="quiet">and {products.length - SHOWN} more</p>}
    </section>
  );
}

interface SentOnProps {
  property: Property;
  /** What is known of the deliveries; their answer is shared with the actions above. */
  deliveries: UseQueryResult<readonly Delivery[]>;
}

/** The deliveries of a matched conversion. */
export function SentOn({ property, deliveries: { data, error, refetch } }: SentOnProps) {
  const destinations = useQuery(destinationsQueries.list(property.id));
  return (
    <section>
      <h3>Deliveries</h3>
      {data === undefined && error === null && <Skeleton lines={2} label="Loading deliveries" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="quiet">
          Not sent: no platform was connected at the time.{' '}
          <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }}>
            Destinations
          </Link>
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <DeliveryLines property={property} items={data} destinations={destinations.data ?? []} />
      )}
    </section>
  );
}
