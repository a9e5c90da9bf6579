import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { PageHead } from '../../../features/page/PageHead.tsx';
import { Tabs } from '../../../features/page/Tabs.tsx';
import { useProperty } from '../../../features/property/useProperty.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import '../../../styles/workspace.css';
import '../styles/index.css';
import { type Destination, destinationsQueries } from '../../../features/destinations/api.ts';
import { DestinationState } from '../../../features/destinations/DestinationState.tsx';
import { kindOf, subjectOf } from '../../../features/destinations/messages.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { useChange } from '../../../features/destinations/useChange.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { IconPause, IconPlay } from '../../../parts/icons.tsx';
import { AlarmNotice } from '../AlarmNotice.tsx';
import { EventsView, MappingNotice } from '../mapping/EventsView.tsx';
import { needsMapping } from '../model/mapping.ts';
import { BackLink } from '../PlatformFacts.tsx';
import type { DestinationView } from '../search.ts';
import { TestView } from '../test/TestView.tsx';
import type { DestinationViewProps } from '../views.ts';
import { Overview } from './Overview.tsx';
import { SettingsView } from './SettingsView.tsx';

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
      <PageHead title="Destination" back={<BackLink property={property} />} />
      {isGone ? (
        <EmptyState
          title="Destination not found"
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
          It was deleted, or the address is mistyped. Its deliveries stay listed.
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

const NAMES: Readonly<Record<DestinationView, string>> = {
  overview: 'Overview',
  events: 'Events',
  settings: 'Settings',
  test: 'Test',
};

function DestinationViews(props: DestinationViewProps) {
  const { property, platform, destination } = props;
  const { view = 'overview' } = useSearch({ from: '/signed-in/p/$propertyId/destinations/$destinationId' });
  const topics = needsMapping(platform.events, destination.events);
  return (
    <div className="destination-page">
      <PageHead
        title={destination.name}
        back={<BackLink property={property} />}
        tabs={<Tabs label={destination.name} names={NAMES} current={view} />}
        beside={<DestinationState destination={destination} />}
        mark={<PlatformGlyph platform={platform.platform} size={24} />}
        about={kindOf(destination, platform)}
      >
        <RequirePermission>
          <PauseButton property={property} destination={destination} />
        </RequirePermission>
      </PageHead>
      <AlarmNotice property={property} destination={destination} subject={subjectOf(platform)} />
      {view !== 'events' && <MappingNotice property={property} destination={destination} topics={topics} />}
      {view === 'overview' && <Overview {...props} />}
      {view !== 'overview' && (
        <RequirePermission>
          {view === 'events' && <EventsView {...props} />}
          {view === 'settings' && <SettingsView {...props} />}
          {view === 'test' && <TestView {...props} />}
        </RequirePermission>
      )}
    </div>
  );
}

/** Pauses and resumes sending; conversions wait meanwhile. An alarm has its own button to resume. */
function PauseButton({ property, destination }: { property: Property; destination: Destination }) {
  const isPaused = destination.state === 'paused';
  const { mutate, isPending, error } = useChange(
    property.id,
    destination.id,
    isPaused ? `${destination.name} sends again` : `${destination.name} is paused; conversions wait`,
  );
  if (destination.state === 'alarm') return null;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isPending}
        onClick={() => mutate({ paused: !isPaused })}
      >
        {isPaused ? <IconPlay /> : <IconPause />}
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
