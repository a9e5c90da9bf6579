import type { Property } from '../../api/types.ts';
import type { Destination, Platform } from '../../features/destinations/api.ts';

/** The props of each view of a destination. */
export interface DestinationViewProps {
  property: Property;
  platform: Platform;
  destination: Destination;
}
