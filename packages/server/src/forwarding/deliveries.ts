/** Deliveries, read back: the list, one with its request and answers. */
import type { Topic } from '@ghostlight/core';
import { type RawBuilder, sql } from 'kysely';
import { type Period, ServiceError } from '../common/index.ts';
import { type Database, newestFirst, type Page, type PageQuery, type Row } from '../database/index.ts';
import type { Platform } from '../destinations/index.ts';
import type { Owner } from '../properties/index.ts';
import { type State, WAITING } from './states.ts';

/** Everything that the view of a delivery shows. */
export type DeliveryView = Row<'deliveries'> &
  Pick<Row<'destinations'>, 'name' | 'deleted_at' | 'paused' | 'alarm' | 'not_before' | 'failures'> & {
    /** Of the conversion; null also when its retention has ended. */
    readonly event_name: string | null;
    readonly value: string | null;
    readonly currency: string | null;
    readonly payload_digest: string | null;
  };

export interface DeliveryFilter extends Period {
  /** `waiting`: all that is on its way. */
  readonly status?: State | 'waiting' | undefined;
  readonly platform?: Platform | undefined;
  readonly destination?: string | undefined;
  readonly topic?: Topic | undefined;
  readonly reason?: string | undefined;
  /** The beginning of a conversion id; or a delivery's or a conversion's id in full. */
  readonly q?: string | undefined;
}

export interface Deliveries {
  /** Newest first. @param after `next` of the page before. @throws ServiceError `invalid` for a cursor that is none */
  list(owner: Owner, filter: DeliveryFilter, page: PageQuery): Promise<Page<DeliveryView>>;
  /** @throws ServiceError `not_found` */
  get(owner: Owner, id: string): Promise<DeliveryView>;
}

export function createDeliveries({ reader }: Pick<Database, 'reader'>): Deliveries {
  return {
    list: (owner, filter, page) =>
      newestFirst(
        matching(reader, owner, filter),
        {
          at: createdAt(filter.status),
          id: sql<string>`deliveries.id`,
          ties: 'desc',
          idForm: 'dlv_[0-9a-f]{32}',
          lastOf: ({ created_at, id }) => ({ at: created_at, id }),
        },
        page,
      ),
    get: (owner, id) => getDelivery(reader, owner, id),
  };
}

/** @param db a transaction, where one is changed. @throws ServiceError `not_found` */
export async function getDelivery(db: Database['kysely'], owner: Owner, id: string): Promise<DeliveryView> {
  const row = await ofOwner(db, owner).where('deliveries.id', '=', id.toLowerCase()).executeTakeFirst();
  if (row !== undefined) return row;
  throw new ServiceError('not_found', 'There is no such delivery; list them to find its ID.');
}

function ofOwner(db: Database['kysely'], { id, organizationId }: Owner) {
  return db
    .selectFrom('deliveries')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination_id')
    .leftJoin('conversions', 'conversions.id', 'deliveries.conversion_row')
    .selectAll('deliveries')
    .select(['destinations.name', 'destinations.deleted_at', 'destinations.paused', 'destinations.alarm'])
    .select(['destinations.not_before', 'destinations.failures'])
    .select(['conversions.event_name', 'conversions.value'])
    .select(['conversions.currency', 'conversions.payload_digest'])
    .where('deliveries.attribution_id', '=', id)
    .where('deliveries.organization_id', '=', organizationId);
}

function matching(db: Database['kysely'], owner: Owner, filter: DeliveryFilter) {
  const { from, to, status, platform, destination, topic, reason, q } = filter;
  const at = createdAt(status);
  return ofOwner(db, owner)
    .where(at, '>=', from)
    .where(at, '<', to)
    .$if(status !== undefined, (query) =>
      query.where('deliveries.state', 'in', status === 'waiting' ? WAITING : [status ?? 'pending']),
    )
    .$if(platform !== undefined, (query) => query.where('deliveries.platform', '=', platform ?? ''))
    .$if(destination !== undefined, (query) => query.where('destination_id', '=', destination ?? ''))
    .$if(topic !== undefined, (query) => query.where('deliveries.topic', '=', topic ?? ''))
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
    .$if(q !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([
          // Not LIKE: the text is only text. Not a range: a database may sort by language.
          sql<boolean>`substr(deliveries.conversion_id, 1, ${[...(q ?? '')].length}) = ${q ?? ''}`,
          eb('deliveries.id', '=', q ?? ''),
          eb('conversion_row', '=', q ?? ''),
        ]),
      ),
    );
}

/**
 * Most deliveries are delivered or skipped, and are read in the order of time. Of the others SQLite would read all of those for a handful;
 * where the time is no bare column, it goes by the state instead.
 */
function createdAt(status: DeliveryFilter['status']): RawBuilder<number> {
  const isCommon = status === undefined || status === 'delivered' || status === 'skipped';
  return isCommon ? sql<number>`deliveries.created_at` : sql<number>`+deliveries.created_at`;
}
