/**
 * Who may send what. One statement takes the rows and says so on disk, before anything leaves: that is what makes `at_most_once` possible,
 * and what keeps two nodes from sending the same row. Their states are in the statements as text, since SQLite uses a partial index
 * for no other form.
 */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/index.ts';
import type { DeliveryDeps, DeliveryRow, DestinationRow } from './ports.ts';
import { OPEN_AFTER } from './timing.ts';

type Queries = Database['kysely'];

/** Destinations taken up at a time; those that have waited longest come first. */
const MAX_DUE = 500;
const OPEN = sql`state in ('pending', 'retry', 'accepted_async')`;
/** A lease ends so when its request may have left. */
const LEFT = '/left';

/** @param node begins the lease's name, so that a node that starts again knows its own */
export const newLease = (node: string): string => `${node}:${randomUUID()}`;
export const sentLease = (lease: string): string => `${lease}${LEFT}`;

/** Destinations with something to do: one index look-up each. Deleted ones are among them until nothing of them is open. */
export async function dueDestinations(db: Queries, now: number): Promise<DestinationRow[]> {
  const { rows } = await sql<DestinationRow>`
    select * from (
      select destinations.*, (
        select next_at from deliveries where destination_id = destinations.id and ${OPEN} order by next_at limit 1
      ) as due from destinations
    ) as candidates
    where (deleted_at is not null and due is not null)
      or (due <= ${now} and deleted_at is null and paused = 0 and alarm is null
        and (not_before is null or not_before <= ${now}))
    order by due limit ${MAX_DUE}`.execute(db);
  return rows;
}

export interface ClaimOptions {
  readonly destination: DestinationRow;
  readonly now: number;
  readonly limit: number;
  readonly lease: string;
}

/**
 * The oldest due rows, those of one `split` alone; none when the destination was changed, paused or put off since it was read.
 * @param until when the lease ends. @param probe of an open breaker, whose turn `takeProbe` has given
 */
export function claim(
  database: Database,
  options: ClaimOptions & { readonly until: number; readonly probe: boolean },
): Promise<DeliveryRow[]> {
  const { lease, until, now } = options;
  const set = sql`state = 'sending', lease = ${lease}, lease_until = ${until}, updated_at = ${now}`;
  return take(database, options, sql`state <> 'accepted_async'`, sql`split`, set, options.probe);
}

/**
 * The oldest accepted rows to be asked about, those of one `ref`. They stay what they are: asking twice does no harm, so that the next
 * time to ask is all that keeps others from it.
 */
export function claimPoll(
  database: Database,
  options: ClaimOptions & { readonly nextAt: number },
): Promise<DeliveryRow[]> {
  const set = sql`lease = ${options.lease}, next_at = ${options.nextAt}`;
  return take(database, options, sql`state = 'accepted_async'`, sql`ref`, set, false);
}

async function take(
  { kysely, adapter }: Database,
  { destination, now, limit }: ClaimOptions,
  state: RawBuilder<unknown>,
  together: RawBuilder<unknown>,
  set: RawBuilder<unknown>,
  probe: boolean,
): Promise<DeliveryRow[]> {
  const isTurn = probe ? sql`` : sql`and (not_before is null or not_before <= ${now})`;
  const { rows } = await sql<DeliveryRow>`
    with due as materialized (
      select id, ${together} as together, next_at from deliveries
      where destination_id = ${destination.id} and organization_id = ${destination.organization_id}
        and ${OPEN} and ${state} and next_at <= ${now}
        and exists (
          select 1 from destinations where id = ${destination.id} and revision = ${destination.revision}
            and paused = 0 and alarm is null and deleted_at is null ${isTurn}
        )
      order by next_at, id limit ${limit} ${adapter.skipLocked}
    )
    update deliveries set ${set}
    where id in (
      select id from due
      where together is not distinct from (select together from due order by next_at, id limit 1)
    )
    returning *`.execute(kysely);
  // The order in which they are returned is undefined.
  return rows.sort((a, b) => (a.next_at ?? 0) - (b.next_at ?? 0) || (a.id < b.id ? -1 : 1));
}

/** Of a destination with an open breaker one node at a time may try, with one event. @param until when another may */
export async function takeProbe(
  { kysely }: Database,
  destination: DestinationRow,
  now: number,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('destinations')
    .set({ not_before: until })
    .where('id', '=', destination.id)
    .where('organization_id', '=', destination.organization_id)
    .where('failures', '>=', OPEN_AFTER)
    .where((eb) => eb.or([eb('not_before', 'is', null), eb('not_before', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Says on disk that these are about to leave, or only that they are still held. Whatever is no longer ours is missing in the answer and
 * must not be sent.
 * @param left from here on a crash leaves their outcome unknown
 */
export async function hold(
  { kysely }: Database,
  rows: readonly Pick<DeliveryRow, 'id' | 'organization_id'>[],
  lease: string,
  { until, left }: { readonly until: number; readonly left: boolean },
): Promise<ReadonlySet<string>> {
  const [first] = rows;
  if (first === undefined) return new Set();
  const held = await kysely
    .updateTable('deliveries')
    .set({ lease: left ? sentLease(lease) : lease, lease_until: until })
    .where('organization_id', '=', first.organization_id)
    .where('state', '=', 'sending')
    .where('lease', '=', lease)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .returning('id')
    .execute();
  return new Set(held.map(({ id }) => id));
}

/**
 * Rows whose holder has not come back: what may have left is unknown, everything else has its turn again. The lease's name stays, for
 * an answer that comes late after all still knows its row by it, as long as no other node has claimed it.
 * @param node of which all leases are over, at its start
 * @returns how many
 */
export async function expireLeases(
  { database: { kysely } }: Pick<DeliveryDeps, 'database'>,
  now: number,
  node?: string,
): Promise<number> {
  const over = node === undefined ? sql`lease_until < ${now}` : sql`lease like ${`${node}:%`}`;
  const inDoubt = (then: unknown, name: string) =>
    sql`${sql.ref(name)} = case when lease like ${`%${LEFT}`} then ${then} else ${sql.ref(name)} end`;
  const { numAffectedRows } = await sql`
      update deliveries set
        lease_until = null, updated_at = ${now},
        state = case when lease like ${`%${LEFT}`} then 'unknown' else 'retry' end,
        ${inDoubt(now, 'settled_at')}, ${inDoubt(sql`coalesce(sent_at, ${now})`, 'sent_at')},
        ${inDoubt(sql`attempts + 1`, 'attempts')}, ${inDoubt('at_most_once', 'guarantee')},
        ${inDoubt('interrupted', 'reason')}, ${inDoubt(INTERRUPTED, 'message')}
      where id in (
        select id from deliveries where lease_until is not null and ${over} and state = 'sending' limit ${MAX_EXPIRED}
      ) and lease_until is not null and ${over} and state = 'sending'`.execute(kysely);
  return Number(numAffectedRows ?? 0);
}

/** In one transaction; what is beyond has its turn with the next look. */
const MAX_EXPIRED = 1_000;
export const INTERRUPTED =
  'The service ended while the request was under way. It may have arrived, and the platform would count a repeat.';
