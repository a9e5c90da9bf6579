/**
 * Recent Activity: what came of each request. The newest 20 per status are kept, so that the bad posts of an attacker, who reads the
 * attribution ID in any page's source, can't push a shop's own out. What any client may cause without a key is counted in memory and
 * written at most once a second per property.
 */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@ghostlight/core/time';
import { type Clock, type Log, ServiceError } from '../common/index.ts';
import type { Database, NewRow, Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { Receiver } from './settings.ts';

const STATUSES = ['success', 'auth_error', 'validation_error', 'rate_limited'] as const;
export type ActivityStatus = (typeof STATUSES)[number];
const SHOWN = 20;
/** Masked as it is, what was received is kept no longer than the personal data of conversions. */
const RECEIVED_DAYS = 30;
const FLUSH_MS = 1_000;
/** Properties that wait for a write or for pruning; beyond that, the next second. */
const MAX_WAITING = 10_000;
const PRUNE_PAGE = 500;

/** A request, with the value of the conversion that it created or repeated; null without one. */
export type ActivityRow = Row<'webhook_requests'> & Pick<Row<'conversions'>, 'value' | 'currency'>;
export type NewActivity = Omit<
  NewRow<'webhook_requests'>,
  'id' | 'organization_id' | 'attribution_id' | 'count'
>;

export interface Activity {
  /** @param db the transaction of what the row tells about */
  write(db: Database['kysely'], receiver: Receiver, row: NewActivity): Promise<void>;
  /** Without waiting: counted, and written within a second. */
  sample(receiver: Receiver, row: NewActivity): void;
  /** Newest first; 20 of all statuses together, or of one. */
  list(owner: Owner, status?: ActivityStatus): Promise<ActivityRow[]>;
  /** @throws ServiceError `not_found` */
  get(owner: Owner, id: string): Promise<ActivityRow>;
  /** The newest delivery of each shop platform that had no valid signature. */
  refusals(
    owner: Owner,
  ): Promise<ReadonlyMap<string, { readonly at: number; readonly error: string | null }>>;
  /** Requests by status, since the start of this node. */
  counts(): ReadonlyMap<ActivityStatus, number>;
  /** Writes what was sampled and removes what is beyond 20; otherwise it happens every second. */
  flush(): Promise<void>;
  /** The hourly job: prunes what a node that died left, and forgets what was received long ago. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

interface Sampled {
  readonly receiver: Receiver;
  readonly row: NewActivity;
  count: number;
}

export function createActivity(db: Database, { clock, log }: { clock: Clock; log: Log }): Activity {
  let sampled = new Map<string, Sampled>();
  let touched = new Map<string, Receiver>();
  const counts = new Map<ActivityStatus, number>(STATUSES.map((status) => [status, 0]));
  const tally = (status: ActivityStatus): void => void counts.set(status, (counts.get(status) ?? 0) + 1);

  const insert = async (queries: Database['kysely'], receiver: Receiver, row: NewActivity, count: number) => {
    await queries
      .insertInto('webhook_requests')
      .values({
        ...row,
        id: randomUUID(),
        organization_id: receiver.organizationId,
        attribution_id: receiver.attributionId,
        count,
      })
      .execute();
    if (touched.size < MAX_WAITING) touched.set(receiver.attributionId, receiver);
  };

  const flush = async (): Promise<void> => {
    const [rows, properties] = [sampled, touched];
    if (rows.size === 0 && properties.size === 0) return;
    sampled = new Map();
    touched = new Map();
    try {
      for (const { receiver, row, count } of rows.values()) {
        await insert(db.kysely, receiver, row, count);
        properties.set(receiver.attributionId, receiver);
      }
      for (const { attributionId } of properties.values())
        for (const status of STATUSES) await prune(db, attributionId, status);
    } catch (error) {
      log.warn({ err: error }, 'Recent Activity could not be brought up to date');
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    async write(queries, receiver, row) {
      await insert(queries, receiver, row, 1);
      tally(row.status);
    },
    sample(receiver, row) {
      tally(row.status);
      const key = `${receiver.attributionId}:${row.status}:${row.shop ?? ''}`;
      const standing = sampled.get(key);
      if (standing !== undefined) standing.count += 1;
      else if (sampled.size < MAX_WAITING) sampled.set(key, { receiver, row, count: 1 });
    },
    async list(owner, status) {
      await flush();
      const newest = async (statuses: readonly ActivityStatus[]): Promise<ActivityRow[]> =>
        await ofOwner(db, owner)
          .where('request.status', 'in', statuses)
          .orderBy('request.at', 'desc')
          .orderBy('request.id')
          .limit(SHOWN)
          .execute();
      if (status !== undefined) return await newest([status]);
      const own = await newest(STATUSES.filter((candidate) => candidate !== 'auth_error'));
      const strangers = await newest(['auth_error']);
      const all = [...own, ...strangers].sort((a, b) => b.at - a.at);
      return (all.length > SHOWN ? coalesced(all) : all).slice(0, SHOWN);
    },
    async get(owner, id) {
      const row = await ofOwner(db, owner).where('request.id', '=', id.toLowerCase()).executeTakeFirst();
      if (row === undefined)
        throw new ServiceError('not_found', 'This request is no longer stored; the newest 20 are kept.');
      return row;
    },
    async refusals(owner) {
      await flush();
      const rows = await ofOwner(db, owner)
        .where('request.status', '=', 'auth_error')
        .where('request.shop', 'is not', null)
        .orderBy('request.at')
        .execute();
      return new Map(rows.map(({ shop, at, error }) => [shop ?? '', { at, error }]));
    },
    counts: () => counts,
    flush,
    async expire() {
      await db.kysely
        .updateTable('webhook_requests')
        .set({ received: null })
        .where('at', '<', clock() - RECEIVED_DAYS * DAY_MS)
        .where('received', 'is not', null)
        .execute();
      for (let after = ''; ; ) {
        const rows = await db.reader
          .selectFrom('webhook_requests')
          .select('attribution_id')
          .distinct()
          .where('attribution_id', '>', after)
          .orderBy('attribution_id')
          .limit(PRUNE_PAGE)
          .execute();
        for (const { attribution_id: id } of rows) for (const status of STATUSES) await prune(db, id, status);
        after = rows.at(-1)?.attribution_id ?? '';
        if (rows.length < PRUNE_PAGE) return;
      }
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Requests without a key that came one after the other are one row with their number: attackers push nothing else out. */
function coalesced(newestFirst: readonly ActivityRow[]): ActivityRow[] {
  const rows: ActivityRow[] = [];
  for (const row of newestFirst) {
    const last = rows.at(-1);
    if (row.status === 'auth_error' && last?.status === 'auth_error')
      rows[rows.length - 1] = { ...last, count: last.count + row.count };
    else rows.push(row);
  }
  return rows;
}

function ofOwner(db: Database, { id, organizationId }: Owner) {
  return db.reader
    .selectFrom('webhook_requests as request')
    .leftJoin('conversions', 'conversions.id', 'request.conversion_row')
    .selectAll('request')
    .select(['conversions.value', 'conversions.currency'])
    .where('request.attribution_id', '=', id)
    .where('request.organization_id', '=', organizationId);
}

/** Outside of the requests' transactions: two that prune the same rows would wait for each other. */
async function prune(db: Database, attributionId: string, status: ActivityStatus): Promise<void> {
  const last = await db.reader
    .selectFrom('webhook_requests')
    .select('at')
    .where('attribution_id', '=', attributionId)
    .where('status', '=', status)
    .orderBy('at', 'desc')
    .offset(SHOWN - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  await db.kysely
    .deleteFrom('webhook_requests')
    .where('attribution_id', '=', attributionId)
    .where('status', '=', status)
    .where('at', '<', last.at)
    .execute();
}
