import { Link, useSearch } from '@tanstack/react-router';
import { stateWords } from '../../../features/destinations/messages.ts';
import { PageHead } from '../../../features/page/PageHead.tsx';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { useNow } from '../../../parts/Time.tsx';
import { AlarmNotice } from '../AlarmNotice.tsx';
import { BackLink } from '../BackLink.tsx';
import { EventsView } from '../mapping/EventsView.tsx';
import { MappingNotice } from '../mapping/MappingNotice.tsx';
import { needsMapping } from '../model/mapping.ts';
import { type DestinationView, VIEWS } from '../search.ts';
import { TestView } from '../test/TestView.tsx';
import { Overview } from './Overview.tsx';
import { PauseButton } from './PauseButton.tsx';
import { SettingsView } from './SettingsView.tsx';
import type { DestinationViewProps } from './view-props.ts';

const NAMES: Readonly<Record<DestinationView, string>> = {
  overview: 'Overview',
  events: 'Events',
  settings: 'Settings',
  test: 'Test',
};

export function DestinationViews(props: DestinationViewProps) {
  const { property, platform, destination } = props;
  const { view = 'overview' } = useSearch({ from: '/signed-in/p/$propertyId/destinations/$destinationId' });
  const now = useNow();
  const topics = needsMapping(platform.events, destination.events);
  return (
    <div className="destination-page">
      <BackLink property={property} />
      <PageHead
        title={destination.name}
        {...(destination.name === platform.title ? {} : { about: platform.title })}
      >
        <span className="destination-state">
          <Mark {...stateWords(destination, now)} />
          <ForWhoMay>
            <PauseButton property={property} destination={destination} />
          </ForWhoMay>
        </span>
      </PageHead>
      <AlarmNotice property={property} destination={destination} />
      {view !== 'events' && <MappingNotice property={property} destination={destination} topics={topics} />}
      <nav className="tabs" aria-label={destination.name}>
        {VIEWS.map((name) => (
          <Link
            key={name}
            to="."
            search={name === 'overview' ? {} : { view: name }}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === view ? 'page' : undefined}
          >
            {NAMES[name]}
          </Link>
        ))}
      </nav>
      {view === 'overview' && <Overview {...props} />}
      {view !== 'overview' && (
        <ForWhoMay>
          {view === 'events' && <EventsView {...props} />}
          {view === 'settings' && <SettingsView {...props} />}
          {view === 'test' && <TestView {...props} />}
        </ForWhoMay>
      )}
    </div>
  );
}
