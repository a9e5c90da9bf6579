/**
 * Deleting a property or an organization with everything in it. The mark is set in the transaction of the request: nothing is accepted any
 * more. The job does the rest: it counts what is there, deletes it in both stores, and counts again until nothing is left. Each step may be
 * cut off and begun again. The record of it stays.
 */
import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, type Scope, sum } from '../../common/index.ts';
import { audit, type Database, type Row } from '../../database/index.ts';
import {
  countOwned,
  deleteOwned,
  type OwnedBy,
  type Warehouse,
  WarehouseUnavailable,
} from '../../warehouse/index.ts';
import { LATE_MS } from './late-rows.ts';
import { countState, deleteState, emptyMarks } from './state.ts';

/** By then every node has forgotten the property's keys, and an insert that was under way has ended. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS;
/** Rows may come from the spool of a node that was down: they are looked for this often. */
const LOOK_AGAIN_MS = DAY_MS;
/** A large property takes some minutes. */
const OVERDUE_MS = 60 * MINUTE_MS;
const AT_ONCE = 20;
const MAX_LISTED = 200;

export type Counts = Readonly<Record<string, number>>;

export interface Deletion extends OwnedBy {
  readonly id: string;
  readonly name: string;
  readonly askedBy: string;
  /** Epoch milliseconds, as the others. */
  readonly askedAt: number;
  readonly state: Row<'deletions'>['state'];
  /** Rows that were there by table, late ones included. */
  readonly found: Counts;
  /** Rows that the newest count found left, by table. */
  readonly rest: Counts;
  readonly countedAt: number | null;
  readonly finishedAt: number | null;
  readonly error: string | null;
}

export interface Asked extends OwnedBy {
  readonly name: string;
  readonly actor: string;
  /** Rows that the transaction itself deletes. */
  readonly found?: Counts;
}

export interface Deletions {
  /** In the transaction that sets the mark. */
  record(trx: Database['kysely'], asked: Asked): Promise<void>;
  /** Newest first; at most 200. */
  list(scope: Scope): Promise<Deletion[]>;
  /** The job. Never throws for a single deletion: its record says why it is not over. */
  run(signal?: AbortSignal): Promise<void>;
  /** Deletions that have not come to their end for an hour, for health and metrics. */
  overdue(): Promise<number>;
}

export interface DeletionsDeps {
  readonly database: Database;
  readonly warehouse: Pick<Warehouse, 'rows' | 'command' | 'standing'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Both stores' part of deleting: the record in the request's transaction, and the job that does it. */
export function createDeletions({ database, warehouse, clock, log }: DeletionsDeps): Deletions {
  const count = async (owner: OwnedBy): Promise<Counts> => ({
    ...(await countOwned(warehouse, owner)),
    ...(await countState(database, owner)),
  });

  const save = async (id: string, changes: Partial<Row<'deletions'>>): Promise<void> => {
    await database.kysely.updateTable('deletions').set(changes).where('id', '=', id).execute();
  };

  const finish = async (deletion: Deletion, rest: Counts): Promise<void> => {
    await emptyMarks(database, deletion);
    const now = clock();
    const { organizationId, attributionId } = deletion;
    await database.kysely.transaction().execute(async (trx) => {
      await trx
        .updateTable('deletions')
        .set({ state: 'done', rest: JSON.stringify(rest), counted_at: now, finished_at: now, error: null })
        .where('id', '=', deletion.id)
        .execute();
      await audit(trx, {
        at: now,
        actor: deletion.askedBy,
        action: attributionId === null ? 'organization.emptied' : 'property.emptied',
        subject: attributionId ?? organizationId,
        // The log of a deleted organization is deleted too.
        organizationId: attributionId === null ? null : organizationId,
      });
    });
    // The file of SQLite is overwritten as rows go; its log is given back here.
    await database
      .scrub()
      .catch((error: unknown) => log.warn({ err: error }, 'a log could not be emptied yet'));
    log.info(
      { deletion: deletion.id, rows: total(deletion.found) },
      'a deletion is over: both stores were counted, and nothing is left',
    );
  };

  const step = async (deletion: Deletion, signal?: AbortSignal): Promise<void> => {
    const there = await count(deletion);
    if (deletion.state === 'done') {
      if (total(there) === 0) return await save(deletion.id, { counted_at: clock() });
      log.warn({ deletion: deletion.id, rows: total(there) }, 'rows of a deleted property came late');
    }
    // What the newest count has left is in `found` already: a step that is repeated after a crash counts nothing twice.
    const found = added(deletion.found, there, deletion.rest);
    await save(deletion.id, {
      state: 'deleting',
      found: JSON.stringify(found),
      rest: JSON.stringify(there),
      counted_at: clock(),
      finished_at: null,
    });
    await deleteOwned(warehouse, deletion, signal);
    await deleteState(database, deletion, signal);
    if (signal?.aborted === true) return;
    const rest = await count(deletion);
    const isSettled = clock() - deletion.askedAt >= SETTLED_AFTER_MS;
    if (total(rest) === 0 && isSettled) return await finish({ ...deletion, found }, rest);
    await save(deletion.id, {
      found: JSON.stringify(added(found, rest)),
      rest: JSON.stringify(rest),
      counted_at: clock(),
      error: null,
    });
  };

  /** Those under way, then those that are to be counted once more. */
  const due = async (): Promise<Deletion[]> => {
    const now = clock();
    const rows = await database.reader
      .selectFrom('deletions')
      .selectAll()
      .where('asked_at', '>', now - LATE_MS)
      .where(({ eb, or }) => or([eb('state', '!=', 'done'), eb('counted_at', '<=', now - LOOK_AGAIN_MS)]))
      // One that was never counted is first on every database: alone, NULL is last on PostgreSQL, behind those that fail each time.
      .orderBy(({ fn, val }) => fn.coalesce('counted_at', val(0)))
      .orderBy('asked_at')
      .limit(AT_ONCE)
      .execute();
    return rows.map(toDeletion);
  };

  return {
    async record(trx, { organizationId, attributionId, name, actor, found = {} }) {
      await trx
        .insertInto('deletions')
        .values({
          ...{ id: `del_${randomUUID().replaceAll('-', '')}`, organization_id: organizationId },
          ...{ attribution_id: attributionId, name, asked_by: actor, asked_at: clock(), state: 'waiting' },
          ...{ found: JSON.stringify(found), rest: '{}', counted_at: null, finished_at: null, error: null },
        })
        .execute();
    },
    async list(scope) {
      const rows = await database.reader
        .selectFrom('deletions')
        .selectAll()
        .$if(scope.kind === 'organization', (query) =>
          query.where('organization_id', '=', scope.kind === 'organization' ? scope.id : ''),
        )
        .orderBy('asked_at', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toDeletion);
    },
    async run(signal) {
      for (const deletion of await due()) {
        if (signal?.aborted === true) return;
        try {
          await step(deletion, signal);
        } catch (error) {
          log.warn({ err: error, deletion: deletion.id }, 'a deletion is not over; it is tried again');
          await save(deletion.id, { error: sentenceOf(error), counted_at: clock() });
        }
      }
    },
    async overdue() {
      const { n } = await database.reader
        .selectFrom('deletions')
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .where('state', '!=', 'done')
        .where('asked_at', '<', clock() - OVERDUE_MS)
        .executeTakeFirstOrThrow();
      return Number(n);
    },
  };
}

export const total = (counts: Counts): number => sum(Object.values(counts));

/** @param before of `more`, what is in `counts` already */
function added(counts: Counts, more: Counts, before: Counts = {}): Counts {
  const names = new Set([...Object.keys(counts), ...Object.keys(more)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      (counts[name] ?? 0) + Math.max(0, (more[name] ?? 0) - (before[name] ?? 0)),
    ]),
  );
}

/** What else an error says is for the operator, in the log. */
const sentenceOf = (error: unknown): string =>
  error instanceof WarehouseUnavailable
    ? error.message
    : 'A step of the deletion failed and will be retried. The service’s log says why.';

function toDeletion(row: Row<'deletions'>): Deletion {
  return {
    id: row.id,
    organizationId: row.organization_id,
    attributionId: row.attribution_id,
    name: row.name,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    state: row.state,
    found: JSON.parse(row.found) as Counts,
    rest: JSON.parse(row.rest) as Counts,
    countedAt: row.counted_at,
    finishedAt: row.finished_at,
    error: row.error,
  };
}
