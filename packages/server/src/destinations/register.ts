/** Every platform, in the order in which they are offered. A new one is a folder, its name in `PLATFORMS`, and a line here. */
import type { AnyDestination } from './define.ts';

export const DESTINATIONS: readonly AnyDestination[] = [];

export function destinationOf(platform: string): AnyDestination | undefined {
  return DESTINATIONS.find((destination) => destination.platform === platform);
}
