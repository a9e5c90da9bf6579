import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { ShopCard } from './ShopCard.tsx';

/** Shop platforms that deliver their own webhooks: nothing is programmed for them. Refreshed every three seconds. */
export function ShopsView({ property, enabled }: { property: Property; enabled: boolean }) {
  const { data, error, isPending, refetch } = useQuery({ ...webhooksQueries.shops(property.id), enabled });
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
    <>
      <p className="aside">
        These platforms send orders and refunds by themselves: enter the address there and the secret here.
        Set up the{' '}
        <Link to="/p/$propertyId/sdk" params={{ propertyId: property.id }}>
          SDK
        </Link>{' '}
        in the shop too, since orders are matched by its visitor ID.
      </p>
      {isPending && <Skeleton lines={6} label="Loading shop platforms" />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.map((shop) => (
        <ShopCard key={shop.platform} property={property} shop={shop} />
      ))}
    </>
  );
}
