import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { ShopCard } from './ShopCard.tsx';

/** Shop platforms that deliver their own webhooks: nothing is programmed for them. Refreshed every three seconds. */
export function ShopsView({ property, enabled }: { property: Property; enabled: boolean }) {
  const { data, error, isPending, refetch } = useQuery({ ...webhooksQueries.shops(property.id), enabled });
  // One at a time. It stays open when the secret is entered: the setup is under way.
  const [open, setOpen] = useState<string | null>(null);
  if (!enabled)
    return (
      <EmptyState
        title="Receiving is not enabled"
        action={
          <Link to="." search={{}} className="button button-primary">
            Enable it first
          </Link>
        }
      >
        Then WooCommerce and Shopify can deliver their own order webhooks here.
      </EmptyState>
    );
  return (
    <div className="shops">
      <p className="aside">
        WooCommerce and Shopify send paid orders, order changes and refunds with their own webhooks. Add the{' '}
        <Link to="/p/$propertyId/sdk" params={{ propertyId: property.id }}>
          browser script
        </Link>{' '}
        to the shop too: orders are matched by the visitor ID that the script sets.
      </p>
      {isPending && <Skeleton lines={6} label="Loading shop platforms" />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.[0] !== undefined && <OutOfReach address={data[0].endpoint} before="you set up a shop" />}
      <div className="shop-cards">
        {data?.map((shop) => (
          <ShopCard
            key={shop.platform}
            property={property}
            shop={shop}
            isOpen={open === shop.platform}
            onToggle={() => setOpen(open === shop.platform ? null : shop.platform)}
          />
        ))}
      </div>
      {data !== undefined && (
        <p className="aside">
          Another shop or a CRM? Post orders from its server:{' '}
          <Link to="." search={{}}>
            create a key
          </Link>
          .
        </p>
      )}
    </div>
  );
}
