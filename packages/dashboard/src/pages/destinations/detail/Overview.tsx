import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveriesQueries } from '../../../features/deliveries/api.ts';
import { DeliveryLines } from '../../../features/deliveries/DeliveryLines.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { ErrorState, failed, Skeleton } from '../../../parts/states.tsx';
import { Health } from '../Health.tsx';
import { PlatformFacts } from '../PlatformFacts.tsx';
import type { DestinationViewProps } from '../views.ts';

export function Overview({ property, platform, destination }: DestinationViewProps) {
  const latest = useQuery(deliveriesQueries.latest(property.id, { destination: destination.id }));
  return (
    <div className="overview">
      <div className="overview-main">
        <div className="card">
          <Health property={property} destination={destination} />
        </div>
        <section className="card panel" aria-labelledby="latest-title">
          <div className="panel-head">
            <h2 id="latest-title">Latest deliveries</h2>
            <Link
              to="/p/$propertyId/deliveries"
              params={{ propertyId: property.id }}
              search={{ destination: destination.id }}
              className="button button-small"
            >
              All deliveries
              <IconArrow />
            </Link>
          </div>
          {latest.isPending && <Skeleton lines={4} label="Loading deliveries" />}
          {failed(latest) && <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />}
          {latest.data?.length === 0 && (
            <p className="aside">
              No conversions have matched since it was connected. The next one is sent within seconds.
            </p>
          )}
          {latest.data !== undefined && latest.data.length > 0 && (
            <DeliveryLines property={property} items={latest.data} name="conversion" />
          )}
        </section>
      </div>
      <PlatformFacts platform={platform} />
    </div>
  );
}
