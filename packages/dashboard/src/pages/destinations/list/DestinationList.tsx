import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { pledgeLine, stateWords } from '../../../features/destinations/messages.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { useNow } from '../../../parts/Time.tsx';
import { AlarmNotice, Health } from '../Health.tsx';
import { MappingNotice } from '../mapping/EventsView.tsx';
import { needsMapping } from '../model/mapping.ts';

interface DestinationListProps {
  property: Property;
  platforms: readonly Platform[];
  items: readonly Destination[];
}

/** The connected destinations; those that need attention first. */
export function DestinationList({ property, platforms, items }: DestinationListProps) {
  const now = useNow();
  const sorted = [...items].sort((a, b) => Number(b.state === 'alarm') - Number(a.state === 'alarm'));
  return (
    <ul className="destination-list" aria-label="Connected">
      {sorted.map((destination) => {
        const platform = platforms.find((one) => one.platform === destination.platform);
        return (
          <li key={destination.id} className="card destination" data-state={destination.state}>
            <div className="destination-head">
              <PlatformGlyph platform={destination.platform} />
              <div className="destination-name">
                <h2>
                  <Link
                    to="/p/$propertyId/destinations/$destinationId"
                    params={{ propertyId: property.id, destinationId: destination.id }}
                  >
                    {destination.name}
                  </Link>
                </h2>
                <p className="quiet">
                  {[
                    platform?.title ?? destination.platform,
                    platform === undefined ? '' : pledgeLine(platform),
                  ]
                    .filter((part) => part !== '' && part !== destination.name)
                    .join(' · ')}
                </p>
              </div>
              <Mark {...stateWords(destination, now)} />
            </div>
            <Health property={property} destination={destination} />
            <AlarmNotice property={property} destination={destination} />
            {platform !== undefined && (
              <MappingNotice
                property={property}
                destination={destination}
                topics={needsMapping(platform.events, destination.events)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
