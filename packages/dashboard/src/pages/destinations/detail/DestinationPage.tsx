import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { PageHead } from '../../../features/page/PageHead.tsx';
import { useProperty } from '../../../features/property/useProperty.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import '../../../styles/workspace.css';
import '../styles/index.css';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { BackLink } from '../BackLink.tsx';
import { DestinationViews } from './DestinationViews.tsx';

export function DestinationPage() {
  const property = useProperty();
  const { destinationId } = useParams({ from: '/signed-in/p/$propertyId/destinations/$destinationId' });
  return property === null ? null : <Loaded key={destinationId} property={property} id={destinationId} />;
}

function Loaded({ property, id }: { property: Property; id: string }) {
  const platforms = useQuery(destinationsQueries.platforms());
  const list = useQuery(destinationsQueries.list(property.id));
  const destination = list.data?.find((one) => one.id === id);
  const platform = platforms.data?.find((one) => one.platform === destination?.platform);
  if (destination !== undefined && platform !== undefined) {
    return <DestinationViews property={property} platform={platform} destination={destination} />;
  }
  const error = platforms.error ?? list.error;
  const isGone = list.data !== undefined && destination === undefined;
  return (
    <>
      <BackLink property={property} />
      <PageHead title="Destination" />
      {isGone ? (
        <EmptyState
          title="This destination is gone"
          action={
            <Link
              to="/p/$propertyId/deliveries"
              params={{ propertyId: property.id }}
              search={{ destination: id }}
              className="button"
            >
              Its deliveries
            </Link>
          }
        >
          It was deleted, or the address is mistyped. What was sent there stays in the list of deliveries.
        </EmptyState>
      ) : error === null ? (
        <Skeleton lines={8} label="Loading the destination" />
      ) : (
        <ErrorState
          error={error}
          onRetry={() => {
            void platforms.refetch();
            void list.refetch();
          }}
        />
      )}
    </>
  );
}
