/** Browser events: the room with its stores, and what the others hang on it. */
import { isbot } from 'isbot';
import type { Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { OutlivedRows } from '../limits/index.ts';
import { createSessions, type Sessions, type SessionsDeps } from '../sessions/index.ts';
import { eraseVisitorEvents, eventSink, toEventRow } from '../warehouse/index.ts';
import type { Stores } from './stores.ts';

export function openSessions(
  config: Config,
  { database, cipher, warehouse, eventSpools }: Stores,
  rooms: Pick<
    SessionsDeps,
    | ('properties' | 'lists' | 'domains' | 'onVisitors' | 'onBrowserConversion')
    | ('onErase' | 'findByEmail' | 'lateRows')
  > & { readonly outlivedRows: OutlivedRows },
  { clock, log }: { clock: Clock; log: Log },
): Sessions {
  return createSessions({
    ...rooms,
    database,
    cipher,
    isBot: isbot,
    spools: eventSpools,
    events: {
      sink: (leaveOut) => ({
        ...eventSink(warehouse, leaveOut),
        outlived: ({ body }) => rooms.outlivedRows('events', body),
      }),
      toRow: toEventRow,
      erase: (scope, mark, until) => eraseVisitorEvents(warehouse, scope, mark, until),
    },
    limits: { perAddress: config.eventsPerAddress, perProperty: config.eventsPerProperty },
    retentionDays: config.visitorRetentionDays,
    rotating: config.secretKeyPrevious !== null,
    clock,
    log: log.child({ room: 'sessions' }),
  });
}
