import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FileLinks } from '../../../features/charts/FileLinks.tsx';
import { deliveriesQueries, deliveriesUrl } from '../../../features/deliveries/api.ts';
import { periodOf, periodQuery } from '../../../format/period.ts';
import { IconArrow } from '../../../parts/icons.tsx';
import { ErrorState, failed, Skeleton } from '../../../parts/states.tsx';
import { FoldedFacts } from '../PlatformFacts.tsx';
import type { DestinationViewProps } from '../views.ts';
import { Figures } from './Figures.tsx';
import { LastFailure } from './LastFailure.tsx';
import { LatestDeliveries } from './LatestDeliveries.tsx';

export function Overview({ property, platform, destination }: DestinationViewProps) {
  const latest = useQuery(deliveriesQueries.latest(property.id, { destination: destination.id }));
  const failures = useQuery(
    deliveriesQueries.latest(property.id, { destination: destination.id, status: 'dead' }),
  );
  // The period stays the same at midnight.
  const [now] = useState(() => Date.now());
  const period = periodOf({}, now, property.time_zone);
  const report = useQuery(deliveriesQueries.report(property.id, periodQuery(period)));
  // All at once, because what comes later moves what is below it.
  if (latest.isPending || failures.isPending || report.isPending)
    return <Skeleton lines={8} label="Loading deliveries" />;
  return (
    <div className="overview">
      <LastFailure property={property} destination={destination} last={failures.data?.[0]} />
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      <Figures property={property} destination={destination} report={report.data} period={period} />
      <section className="card panel" aria-labelledby="latest-title">
        <div className="panel-head latest-head">
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
          <FileLinks
            what="the deliveries to this destination"
            name="deliveries"
            href={(format) => deliveriesUrl(property.id, { destination: destination.id, format })}
          />
        </div>
        {failed(latest) && <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />}
        {latest.data?.length === 0 && (
          <p className="aside">
            No conversions have matched since it was connected. The next one is sent within seconds.
          </p>
        )}
        {latest.data !== undefined && latest.data.length > 0 && (
          <LatestDeliveries property={property} destination={destination} items={latest.data} />
        )}
      </section>
      <FoldedFacts platform={platform} />
    </div>
  );
}
