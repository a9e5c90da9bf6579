/** Forwarding: where matched conversions go, and each one's way there. */

export { createForwarding, type Forwarding, type ForwardingOptions } from './forwarding.ts';
export { closeDestinations } from './retention.ts';
export type { ForwardingFigures } from './stats.ts';
