import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { PageHead } from '../../../features/page/PageHead.tsx';
import { useProperty } from '../../../features/property/useProperty.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import '../../../styles/workspace.css';
import '../styles/index.css';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { shortTitle } from '../../../features/destinations/messages.ts';
import { BackLink, PlatformFacts } from '../PlatformFacts.tsx';
import { ConnectForm } from './ConnectForm.tsx';

export function ConnectPage() {
  const property = useProperty();
  const { platform } = useParams({ from: '/signed-in/p/$propertyId/destinations/new/$platform' });
  return property === null ? null : <Loaded key={platform} property={property} name={platform} />;
}

function Loaded({ property, name }: { property: Property; name: string }) {
  const platforms = useQuery(destinationsQueries.platforms());
  const list = useQuery(destinationsQueries.list(property.id));
  const platform = platforms.data?.find((one) => one.platform === name);
  const error = platforms.error ?? list.error;
  const retry = () => {
    void platforms.refetch();
    void list.refetch();
  };
  if (platform === undefined || list.data === undefined) {
    return (
      <>
        <PageHead title="Connect" back={<BackLink property={property} />} />
        {error !== null && <ErrorState error={error} onRetry={retry} />}
        {error === null && platforms.data !== undefined && platform === undefined ? (
          <EmptyState
            title="Unknown platform"
            action={
              <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }} className="button">
                All platforms
              </Link>
            }
          >
            The address may be mistyped, or belong to a newer version.
          </EmptyState>
        ) : (
          error === null && <Skeleton lines={8} label="Loading the form" />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={`Connect ${shortTitle(platform.title)}`}
        back={<BackLink property={property} />}
        about={platform.summary}
      />
      <div className="connect">
        <RequirePermission>
          <ConnectForm property={property} platform={platform} others={list.data} />
        </RequirePermission>
        <PlatformFacts platform={platform} />
      </div>
    </>
  );
}
