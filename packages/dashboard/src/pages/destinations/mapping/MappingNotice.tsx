import type { Topic } from '@ghostlight/core/conversion';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { IconInfo } from '../../../parts/icons.tsx';

interface MappingNoticeProps {
  property: Property;
  destination: Destination;
  /** For which no event is chosen. */
  topics: readonly Topic[];
}

/** Nothing when every topic has its event. */
export function MappingNotice({ property, destination, topics }: MappingNoticeProps) {
  if (topics.length === 0) return null;
  return (
    <div className="notice">
      <IconInfo />
      <p>
        No event is chosen for {topics.map(topicName).join(', ')}: those conversions are skipped, and counted
        as “no mapping”.
      </p>
      <Link
        to="/p/$propertyId/destinations/$destinationId"
        params={{ propertyId: property.id, destinationId: destination.id }}
        search={{ view: 'events' }}
        className="button button-small"
      >
        Choose events
      </Link>
    </div>
  );
}
