/** Sending again what has failed, once the cause has been fixed: one delivery, or all dead ones of a kind. One that waits is sent now. */
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Caller, type Clock, type Period, ServiceError } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Platform } from '../destinations/index.ts';
import type { Owner } from '../properties/index.ts';
import { keepPersonal } from '../webhooks/index.ts';
import { type DeliveryView, getDelivery } from './deliveries.ts';
import { isPutOff, obstacle } from './replayable.ts';
import { isDue } from './states.ts';

/** Of one call; the rest is for the next. */
const MAX_REPLAYED = 10_000;
/** Of those that can't be replayed, looked at on the way: a call ends, whatever it finds. */
const MAX_SEEN = 50_000;
/** Rows per transaction: a longer one would keep conversions waiting on SQLite. */
const STEP = 500;

export interface ReplayFilter extends Period {
  readonly platform?: Platform | undefined;
  readonly destination?: string | undefined;
  readonly reason?: string | undefined;
}

export interface Replay {
  /**
   * @param confirmDuplicate needed where the platform may have the event
   * @throws ServiceError `not_found`, `conflict` with the obstacle
   */
  one(
    owner: Owner,
    actor: Caller['actor'],
    id: string,
    options: { readonly confirmDuplicate: boolean },
  ): Promise<DeliveryView>;
  /** Dead ones, the oldest first. */
  many(
    owner: Owner,
    actor: Caller['actor'],
    filter: ReplayFilter,
  ): Promise<{ replayed: number; expired: number; remaining: number }>;
}

export function createReplay({ database, clock }: { database: Database; clock: Clock }): Replay {
  return {
    async one(owner, actor, id, { confirmDuplicate }) {
      const at = clock();
      return await database.kysely.transaction().execute(async (trx) => {
        const delivery = await getDelivery(trx, owner, id);
        const reason = obstacle(delivery);
        if (reason !== null) throw new ServiceError('conflict', reason);
        if (delivery.state === 'unknown' && !confirmDuplicate)
          throw new ServiceError(
            'conflict',
            'The platform may have it already and would count it twice; set confirm_duplicate to send it anyway.',
          );
        if (isPutOff(delivery)) await bringForward(trx, delivery, at);
        else {
          const [again] = await reopen(trx, [delivery.id], [delivery.state], at);
          if (again === undefined)
            throw new ServiceError('conflict', 'Another request has just replayed it.');
        }
        const { organizationId } = owner;
        await audit(trx, { at, actor, action: 'delivery.replayed', subject: delivery.id, organizationId });
        return await getDelivery(trx, owner, id);
      });
    },
    async many(owner, actor, filter) {
      const at = clock();
      const found = { replayed: 0, expired: 0, seen: 0 };
      let last: Cursor | undefined;
      for (let more = true; more && found.replayed < MAX_REPLAYED && found.seen < MAX_SEEN; await turn()) {
        const limit = Math.min(STEP, MAX_REPLAYED - found.replayed);
        const rows = await dead(database, owner, filter, last)
          .select(['deliveries.id', 'deliveries.created_at', 'payload_digest'])
          .limit(limit)
          .execute();
        const standing = rows.filter(({ payload_digest }) => payload_digest !== null);
        const isFirst = found.replayed === 0;
        const again = await database.kysely.transaction().execute(async (trx) => {
          const reopened = await reopen(
            trx,
            standing.map(({ id }) => id),
            ['dead'],
            at,
          );
          const { id: subject, organizationId } = owner;
          // One row tells of the whole call.
          if (isFirst && reopened.length > 0)
            await audit(trx, { at, actor, action: 'deliveries.replayed', subject, organizationId });
          return reopened;
        });
        found.replayed += again.length;
        found.expired += rows.length - standing.length;
        found.seen += rows.length;
        last = rows.at(-1);
        more = rows.length === limit;
      }
      const { remaining } = await dead(database, owner, filter, last)
        .where('payload_digest', 'is not', null)
        .select(({ fn }) => fn.countAll<number | string>().as('remaining'))
        .clearOrderBy()
        .executeTakeFirstOrThrow();
      return {
        replayed: found.replayed,
        expired: found.expired,
        remaining: last === undefined ? 0 : Number(remaining),
      };
    },
  };
}

/**
 * The turn of one that waits is now, before all others of its destination. It stays what it is, so that a second call does no harm, and
 * the worker still takes it but once. A breaker that is open gives its turn early, of one event as ever: what a person knows of the
 * receiver is newer than its last answer. A platform that asked for fewer requests is not asked before its time.
 * @throws ServiceError `conflict`
 */
async function bringForward(trx: Database['kysely'], delivery: DeliveryView, at: number): Promise<void> {
  const { id, destination_id: destination, organization_id: organization, state, failures } = delivery;
  const isBlocked = (delivery.not_before ?? 0) > at;
  if (isBlocked && (failures === 0 || isThrottled(delivery)))
    throw new ServiceError(
      'conflict',
      'The platform has asked for fewer requests. It is sent as soon as that time is over.',
    );
  const first = await trx
    .selectFrom('deliveries')
    .select('next_at')
    .where('destination_id', '=', destination)
    .where(isDue())
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ next_at: Math.min(at, (first?.next_at ?? at) - 1), updated_at: at })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ServiceError('conflict', 'It is already being sent.');
  if (!isBlocked) return;
  await trx
    .updateTable('destinations')
    .set({ not_before: at })
    .where('id', '=', destination)
    .where('organization_id', '=', organization)
    // As it was seen: a worker that has just taken the breaker's turn, or a platform that asked to wait, has the last word.
    .where('not_before', '=', delivery.not_before)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('id')
            .where('destination_id', '=', destination)
            .where('state', '=', 'sending'),
        ),
      ),
    )
    .execute();
}

/** Whether its last answer asked for fewer requests. */
function isThrottled({ history }: DeliveryView): boolean {
  const last = (JSON.parse(history) as readonly { readonly verdict: string }[]).at(-1);
  return last?.verdict === 'throttled';
}

/** As if it was new, except for its history. @returns those that were still as they were seen */
async function reopen(
  trx: Database['kysely'],
  ids: readonly string[],
  from: readonly DeliveryView['state'][],
  at: number,
): Promise<readonly { readonly conversion_row: string }[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('deliveries')
    .set({
      ...{ state: 'pending', next_at: at, attempts: 0, updated_at: at },
      ...{ reason: null, message: null, sent_at: null, settled_at: null },
      ...{ lease: null, lease_until: null, split: null, ref: null },
    })
    .where('id', 'in', ids)
    .where('state', 'in', from)
    .returning('conversion_row')
    .execute();
  await keepPersonal(
    trx,
    rows.map(({ conversion_row }) => conversion_row),
  );
  return rows;
}

/** No bare column: SQLite then goes by the state, and does not read all of the period for a few dead ones. */
const CREATED_AT = sql<number>`+deliveries.created_at`;

interface Cursor {
  readonly id: string;
  readonly created_at: number;
}

/** Oldest first: the platform's window closes on those. @param last of the page before */
function dead({ reader }: Database, owner: Owner, filter: ReplayFilter, last: Cursor | undefined) {
  const { from, to, platform, destination, reason } = filter;
  return reader
    .selectFrom('deliveries')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination_id')
    .leftJoin('conversions', 'conversions.id', 'deliveries.conversion_row')
    .where('deliveries.attribution_id', '=', owner.id)
    .where('deliveries.organization_id', '=', owner.organizationId)
    .where('state', '=', 'dead')
    .where('deleted_at', 'is', null)
    .where(CREATED_AT, '>=', from)
    .where(CREATED_AT, '<', to)
    .$if(platform !== undefined, (query) => query.where('deliveries.platform', '=', platform ?? ''))
    .$if(destination !== undefined, (query) => query.where('destination_id', '=', destination ?? ''))
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
    .$if(last !== undefined, (query) =>
      query.where(({ and, eb, or }) =>
        or([
          eb(CREATED_AT, '>', last?.created_at ?? 0),
          and([eb(CREATED_AT, '=', last?.created_at ?? 0), eb('deliveries.id', '>', last?.id ?? '')]),
        ]),
      ),
    )
    .orderBy(CREATED_AT)
    .orderBy('deliveries.id');
}
