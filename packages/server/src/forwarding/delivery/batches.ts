/** Events → requests: of one group each, no more than the platform takes, no larger than it takes. Pure. */
import { mostBytes } from './exchange.ts';
import type { BoundDestination } from './ports.ts';
import type { Ready } from './records.ts';

/** What a body has besides its events. Where a platform's is larger the request is halved when it is made. */
const ENVELOPE_BYTES = 2 * 1024;

export function cut(
  ready: readonly Ready[],
  destination: Pick<BoundDestination, 'limits'>,
): readonly (readonly Ready[])[] {
  const { maxBatch } = destination.limits;
  const room = mostBytes(destination) - ENVELOPE_BYTES;
  const batches: Ready[][] = [];
  /** By group: the batch that is being filled. */
  const open = new Map<string, { readonly batch: Ready[]; bytes: number }>();
  for (const one of ready) {
    let filling = open.get(one.group);
    if (filling === undefined || filling.batch.length === maxBatch || filling.bytes + one.bytes > room) {
      filling = { batch: [], bytes: 0 };
      batches.push(filling.batch);
      open.set(one.group, filling);
    }
    filling.batch.push(one);
    // And the comma.
    filling.bytes += one.bytes + 1;
  }
  return batches;
}
