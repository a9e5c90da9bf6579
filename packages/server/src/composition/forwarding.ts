/** Forwarding: the room with its stores, and with every platform that there is. */
import type { Config } from '../config.ts';
import { DESTINATIONS } from '../destinations/index.ts';
import { createForwarding, type Forwarding, type ForwardingOptions } from '../forwarding/index.ts';
import type { Clock, Log } from '../kit/index.ts';
import { createSend } from '../outbound/index.ts';
import type { Stores } from './stores.ts';

export function openForwarding(
  config: Config,
  { database, sealer }: Stores,
  rooms: Pick<ForwardingOptions, 'visits'>,
  { nodeId, clock, log }: { nodeId: string; clock: Clock; log: Log },
): Forwarding {
  return createForwarding({
    ...rooms,
    database,
    sealer,
    platforms: DESTINATIONS,
    send: createSend({ hosts: config.destinationHosts }),
    node: nodeId,
    retentionDays: config.retentionDays,
    rotating: config.secretKeyPrevious !== null,
    clock,
    log: log.child({ room: 'forwarding' }),
  });
}
