/** From which hosts a property's events came, for the developer who installs the SDK: counted in memory, written every other second. */
import { sql } from 'kysely';
import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { inOrder, larger } from './upsert.ts';

const FLUSH_MS = 2_000;
/** Different origins between two flushes: more are a flood, of which the first tell enough. */
const MAX_PENDING = 1_000;
/** Of a property; untrusted clients may send any. */
const KEPT_ORIGINS = 20;

export interface Observation {
  readonly attributionId: string;
  readonly organizationId: string;
  /** Host; empty for requests without an origin. */
  readonly origin: string;
  readonly isForeign: boolean;
  readonly refused: boolean;
  readonly events: number;
}

export interface ArrivalStatus {
  /** Epoch milliseconds. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Newest first. */
  readonly origins: readonly {
    readonly origin: string;
    readonly isForeign: boolean;
    readonly accepted: number;
    readonly refused: number;
    readonly lastAt: number;
  }[];
}

export interface Observations {
  /** Never waits, never throws. */
  note(observation: Observation): void;
  status(property: { readonly id: string; readonly organizationId: string }): Promise<ArrivalStatus>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Pending {
  readonly attribution_id: string;
  readonly origin: string;
  readonly organization_id: string;
  readonly is_foreign: number;
  readonly first_at: number;
  accepted: number;
  refused: number;
  last_at: number;
}

export function createObservations({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): Observations {
  let pending = new Map<string, Pending>();
  let flushing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (pending.size === 0) return;
    const rows = inOrder([...pending.values()], keyOf);
    pending = new Map();
    try {
      await database.kysely.transaction().execute(async (trx) => {
        await trx
          .insertInto('event_origins')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['attribution_id', 'origin']).doUpdateSet({
              is_foreign: sql<number>`excluded.is_foreign`,
              accepted: sql<number>`event_origins.accepted + excluded.accepted`,
              refused: sql<number>`event_origins.refused + excluded.refused`,
              last_at: larger('event_origins.last_at', 'excluded.last_at'),
            }),
          )
          .execute();
        for (const id of new Set(rows.map(({ attribution_id }) => attribution_id))) {
          await trx
            .deleteFrom('event_origins')
            .where('attribution_id', '=', id)
            .where('origin', 'not in', (query) =>
              query
                .selectFrom('event_origins')
                .select('origin')
                .where('attribution_id', '=', id)
                // What is the property's own stays, however many foreign names come after it.
                .orderBy('is_foreign')
                .orderBy('last_at', 'desc')
                .limit(KEPT_ORIGINS),
            )
            .execute();
        }
      });
    } catch (error) {
      // They are for a person who looks: the next event is counted again.
      log.warn({ err: error }, 'the origins of events could not be written');
    }
  };
  const flush = (): Promise<void> => {
    flushing = flushing.then(write);
    return flushing;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    note({ attributionId, organizationId, origin, isForeign, refused, events }) {
      const at = clock();
      const key = `${attributionId}/${origin}`;
      const entry = pending.get(key) ?? {
        attribution_id: attributionId,
        origin,
        organization_id: organizationId,
        is_foreign: isForeign ? 1 : 0,
        first_at: at,
        last_at: at,
        accepted: 0,
        refused: 0,
      };
      if (!pending.has(key) && pending.size >= MAX_PENDING) return;
      entry.last_at = at;
      if (refused) entry.refused += events;
      else entry.accepted += events;
      pending.set(key, entry);
    },
    async status({ id, organizationId }) {
      const arrivals = await database.reader
        .selectFrom('event_arrivals')
        .select(['first_at', 'last_at'])
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      const origins = await database.reader
        .selectFrom('event_origins')
        .select(['origin', 'is_foreign', 'accepted', 'refused', 'last_at'])
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .orderBy('last_at', 'desc')
        .limit(KEPT_ORIGINS)
        .execute();
      return {
        firstAt: arrivals?.first_at ?? null,
        lastAt: arrivals?.last_at ?? null,
        origins: origins.map(({ origin, is_foreign, accepted, refused, last_at }) => ({
          origin,
          isForeign: is_foreign === 1,
          accepted,
          refused,
          lastAt: last_at,
        })),
      };
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

const keyOf = ({ attribution_id, origin }: Pending): string => `${attribution_id}/${origin}`;
