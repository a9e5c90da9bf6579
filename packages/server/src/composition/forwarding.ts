/** Forwarding: the room with its stores, and with every platform that there is. */

import type { Clock, Log, Trace } from '../common/index.ts';
import type { Config } from '../config.ts';
import { DESTINATIONS } from '../destinations/index.ts';
import { createForwarding, type Forwarding, type ForwardingOptions } from '../forwarding/index.ts';
import { createSend } from '../outbound/index.ts';
import type { Stores } from './stores.ts';

export function openForwarding(
  config: Config,
  { database, cipher }: Stores,
  rooms: Pick<ForwardingOptions, 'visits'>,
  { nodeId, clock, log, trace }: { nodeId: string; clock: Clock; log: Log; trace: Trace },
): Forwarding {
  return createForwarding({
    ...rooms,
    database,
    cipher,
    platforms: DESTINATIONS,
    send: createSend({ hosts: config.destinationHosts }),
    node: nodeId,
    retentionDays: config.retentionDays,
    rotating: config.secretKeyPrevious !== null,
    clock,
    trace,
    log: log.child({ room: 'forwarding' }),
  });
}
