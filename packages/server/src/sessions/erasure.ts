/**
 * Forgetting a visitor: in the database at once, in the warehouse by a mutation, and in the spools by a mark: what waits there, on whichever
 * node, is left out when its turn comes.
 */
import { audit, type Database } from '../database/index.ts';
import type { Clock, Log } from '../kit/index.ts';
import type { Property } from '../properties/index.ts';
import type { EventStore, SessionsDeps } from './ports.ts';

/** An insert that was under way as the mark was set has ended by then. */
const SWEEP_AFTER_MS = 2 * 60_000;
const SWEPT_AT_ONCE = 100;
/** Whoever asked is answered by then; a warehouse that hangs is swept later. */
const WAREHOUSE_WAIT_MS = 10_000;

export interface Erased {
  readonly sessions: number;
  readonly touches: number;
  /** Those that lost what pointed to the visitor; what was sold stays. */
  readonly conversions: number;
  /** null: the warehouse is away; they are erased as soon as it is back. */
  readonly events: number | null;
}

export interface Erasure {
  /** Events that come afterwards are a new visitor's, even if the browser kept its id. */
  eraseVisitor(
    property: Pick<Property, 'id' | 'organizationId'>,
    actor: string,
    visitorId: string,
  ): Promise<Erased>;
  /** The job: erases again what may have come in beside the first time. */
  sweep(): Promise<void>;
}

export function createErasure({
  database,
  events,
  onErase,
  clock,
  log,
  warehouseWaitMs = WAREHOUSE_WAIT_MS,
}: {
  database: Database;
  events: Pick<EventStore, 'erase'>;
  onErase: SessionsDeps['onErase'];
  clock: Clock;
  log: Log;
  warehouseWaitMs?: number;
}): Erasure {
  return {
    async eraseVisitor({ id, organizationId }, actor, visitorId) {
      const at = clock();
      const owner = { attribution_id: id, visitor_id: visitorId, organization_id: organizationId };
      const erased = await database.kysely.transaction().execute(async (trx) => {
        await trx
          .insertInto('erased_visitors')
          .values({ ...owner, at, swept: 0 })
          .onConflict((conflict) =>
            conflict.columns(['attribution_id', 'visitor_id']).doUpdateSet({ at, swept: 0 }),
          )
          .execute();
        const counts = { touches: 0, sessions: 0, visitors: 0 };
        for (const table of ['touches', 'sessions', 'visitors'] as const) {
          const { numDeletedRows } = await trx
            .deleteFrom(table)
            .where('attribution_id', '=', id)
            .where('organization_id', '=', organizationId)
            .where('visitor_id', '=', visitorId)
            .executeTakeFirst();
          counts[table] = Number(numDeletedRows);
        }
        const { conversions } = await onErase(trx, { id, organizationId }, visitorId);
        // The proof that it was done needs the name of whom it was done to.
        await audit(trx, {
          at,
          actor,
          action: 'visitor.erased',
          subject: `${id}/${visitorId}`,
          organizationId,
        });
        return { ...counts, conversions };
      });
      const scope = { organizationId, attributionIds: [id] };
      const count = await within(events.erase(scope, visitorId, at), warehouseWaitMs).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'a visitor’s events could not be erased yet; it is tried again');
          return null;
        },
      );
      const { sessions, touches, conversions } = erased;
      return { sessions, touches, conversions, events: count };
    },
    async sweep() {
      const marks = await database.reader
        .selectFrom('erased_visitors')
        .select(['attribution_id', 'visitor_id', 'organization_id', 'at'])
        .where('swept', '=', 0)
        .where('at', '<', clock() - SWEEP_AFTER_MS)
        .orderBy('at')
        .limit(SWEPT_AT_ONCE)
        .execute();
      for (const mark of marks) {
        const scope = { organizationId: mark.organization_id, attributionIds: [mark.attribution_id] };
        await events.erase(scope, mark.visitor_id, mark.at);
        await database.kysely
          .updateTable('erased_visitors')
          .set({ swept: 1 })
          .where('attribution_id', '=', mark.attribution_id)
          .where('organization_id', '=', mark.organization_id)
          .where('visitor_id', '=', mark.visitor_id)
          .where('at', '=', mark.at)
          .execute();
      }
    },
  };
}

/** @throws when it takes longer; what was begun goes on */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
