import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import { destinationsQueries } from '../../features/destinations/api.ts';
import { Gallery } from './gallery/Gallery.tsx';
import { DestinationList } from './list/DestinationList.tsx';

export function DestinationsPage() {
  const property = useProperty();
  return property === null ? null : <View key={property.id} property={property} />;
}

function View({ property }: { property: Property }) {
  const platforms = useQuery(destinationsQueries.platforms());
  const list = useQuery(destinationsQueries.list(property.id));
  const error = platforms.error ?? list.error;
  const isLoaded = platforms.data !== undefined && list.data !== undefined;
  return (
    <div className="destinations">
      <PageHead
        title="Destinations"
        about="Every conversion that matched a visit is sent on to the platforms that are connected here, so that they learn which of their clicks were worth it."
      />
      {!isLoaded && error === null && <Skeleton lines={8} label="Loading destinations" />}
      {error !== null && (
        <ErrorState
          error={error}
          onRetry={() => {
            void platforms.refetch();
            void list.refetch();
          }}
        />
      )}
      {isLoaded && list.data.length > 0 && (
        <DestinationList property={property} platforms={platforms.data} items={list.data} />
      )}
      {isLoaded && <Gallery property={property} platforms={platforms.data} connected={list.data} />}
    </div>
  );
}
