import type { Delivery } from './api.ts';

type Sent = Pick<Delivery, 'destination'>;

/** For sorting the deliveries of one conversion: the same order for each. */
export const byDestination = (a: Sent, b: Sent): number =>
  a.destination.name.localeCompare(b.destination.name);
