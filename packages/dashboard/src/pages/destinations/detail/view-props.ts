/** What each view of a destination is given. */
import type { Property } from '../../../api/types.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';

export interface DestinationViewProps {
  property: Property;
  platform: Platform;
  destination: Destination;
}
