/** Forwarding: where matched conversions go, and each one's way there. */

export { closeDestinations } from './forget.ts';
export { createForwarding, type Forwarding, type ForwardingOptions } from './forwarding.ts';
export type { ForwardingFigures } from './stats.ts';
