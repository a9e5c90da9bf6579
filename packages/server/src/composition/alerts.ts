/** Alerts: the room with its stores, and the ways by which it tells people. */
import { type Alerts, createAlerts } from '../alerts/index.ts';
import type { Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { Forwarding } from '../forwarding/index.ts';
import { createMailer, createSend } from '../outbound/index.ts';
import { retentionOf } from './limits.ts';
import type { Stores } from './stores.ts';

export function openAlerts(
  config: Config,
  { database, cipher, warehouse }: Pick<Stores, 'database' | 'cipher' | 'warehouse'>,
  forwarding: Forwarding,
  { appBaseUrl, clock, log }: { appBaseUrl: () => string; clock: Clock; log: Log },
): Alerts {
  return createAlerts({
    database,
    warehouse,
    cipher,
    forwarding,
    retention: retentionOf(config),
    send: createSend({ hosts: config.destinationHosts }),
    mailer: config.mail === null ? null : createMailer(config.mail),
    appBaseUrl,
    rotating: config.secretKeyPrevious !== null,
    clock,
    log: log.child({ room: 'alerts' }),
  });
}
