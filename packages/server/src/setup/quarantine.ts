/** Rejected elements, moved from each node's spool to where the setup page of every node can show them. */

import { DAY_MS } from '@ghostlight/core/time';
import { type Clock, type Log, limitsOf, type Scope } from '../common/index.ts';
import type { Database } from '../database/index.ts';

/** A rejected element as received, redacted and bounded by the ingest room. */
export interface QuarantinedElement {
  /** Unique over all nodes. */
  readonly id: string;
  readonly organizationId: string;
  readonly attributionId: string | null;
  readonly endpoint: string;
  readonly reason: string;
  readonly field: string | null;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What the forwarder needs of the spool. */
export interface QuarantineSource {
  /** Oldest first. */
  uncollectedQuarantine(limit: number): Promise<readonly QuarantinedElement[]>;
  removeQuarantine(ids: readonly string[]): Promise<void>;
}

export interface Quarantine {
  /** Of one property; newest first. `organizationId` is the property's. */
  list(
    scope: Scope,
    property: { readonly id: string; readonly organizationId: string },
    limit: number,
  ): Promise<QuarantinedElement[]>;
  /** Moves what the spool holds. @returns how many @throws when the database or the spool fails: nothing is lost, call again */
  collect(): Promise<number>;
  /** Removes what is older than 7 days. @returns how many */
  expire(): Promise<number>;
  close(): Promise<void>;
}

export const QUARANTINE_PER_ORGANIZATION = 1_000;
const KEEP_MS = 7 * DAY_MS;
const COLLECT_MS = 2_000;
const BATCH = 500;
/** Rows in one statement, each up to 8 KiB of body. */
const CHUNK = 100;

export function createQuarantine({
  database,
  source,
  clock,
  log,
}: {
  database: Database;
  source: QuarantineSource;
  clock: Clock;
  log: Log;
}): Quarantine {
  let closed = false;
  let collecting: Promise<number> | null = null;

  const collectAll = async (): Promise<number> => {
    for (let moved = 0; ; ) {
      const elements = await source.uncollectedQuarantine(BATCH);
      if (elements.length === 0) return moved;
      await store(database, elements);
      // Only now: a crash in between stores the same ids again, which changes nothing.
      await source.removeQuarantine(elements.map(({ id }) => id));
      moved += elements.length;
      if (elements.length < BATCH || closed) return moved;
    }
  };
  const collect = (): Promise<number> => {
    collecting ??= collectAll().finally(() => {
      collecting = null;
    });
    return collecting;
  };
  const timer = setInterval(() => {
    collect().catch((error: unknown) =>
      log.warn({ err: error }, 'rejected elements could not be moved; they stay in the spool'),
    );
  }, COLLECT_MS);
  timer.unref();

  return {
    async list(scope, { id, organizationId }, limit) {
      if (scope.kind === 'organization' && scope.id !== organizationId) return [];
      const rows = await database.reader
        .selectFrom('quarantine')
        .selectAll()
        .where('organization_id', '=', organizationId)
        // An element that named no property of the organization concerns all of them, and may show what belongs to another.
        .where(({ eb, or }) =>
          or([
            eb('attribution_id', '=', id),
            ...(limitsOf(scope) === null ? [eb('attribution_id', 'is', null)] : []),
          ]),
        )
        .where('at', '>', clock() - KEEP_MS)
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(Math.min(Math.max(limit, 1), QUARANTINE_PER_ORGANIZATION))
        .execute();
      return rows.map(({ organization_id, attribution_id, ...row }) => ({
        ...row,
        organizationId: organization_id,
        attributionId: attribution_id,
      }));
    },
    collect,
    async expire() {
      const { numDeletedRows } = await database.kysely
        .deleteFrom('quarantine')
        .where('at', '<=', clock() - KEEP_MS)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.allSettled([collecting]);
    },
  };
}

async function store(database: Database, elements: readonly QuarantinedElement[]): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    for (let from = 0; from < elements.length; from += CHUNK) {
      const rows = elements.slice(from, from + CHUNK).map((element) => ({
        id: element.id,
        organization_id: element.organizationId,
        attribution_id: element.attributionId,
        endpoint: element.endpoint,
        reason: element.reason,
        field: element.field,
        // NUL is the one character that PostgreSQL's text can't hold.
        body: element.body.toWellFormed().replaceAll('\0', '�'),
        at: element.at,
      }));
      await trx
        .insertInto('quarantine')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    }
    for (const organizationId of new Set(elements.map((element) => element.organizationId))) {
      await trx
        .deleteFrom('quarantine')
        .where('organization_id', '=', organizationId)
        .where('id', 'not in', (query) =>
          query
            .selectFrom('quarantine')
            .select('id')
            .where('organization_id', '=', organizationId)
            .orderBy('at', 'desc')
            .orderBy('id')
            .limit(QUARANTINE_PER_ORGANIZATION),
        )
        .execute();
    }
  });
}
