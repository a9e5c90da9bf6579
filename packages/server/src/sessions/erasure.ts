/**
 * Forgetting a visitor: in the database at once, in the warehouse by a mutation, and in the spools by a mark: what waits there, on whichever
 * node, is left out when its turn comes. What is deleted is overwritten, and the logs in which it stood are given back; the
 * warehouse's engine removes its old parts minutes later. `goneBy` says when no byte is left.
 */
import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, sum } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { eraseAgain } from './erase-again.ts';
import { type ErasedMark, markOf, markText, readMark } from './erased-mark.ts';
import type { EventStore, SessionsDeps } from './ports.ts';

/** An insert that was under way as the mark was set has ended by then. */
const SWEEP_AFTER_MS = 2 * MINUTE_MS;
const SWEPT_AT_ONCE = 100;
/** After a failure; doubled up to the longest. A replica that is down has to run each mutation that it missed. */
const RETRY_MS = { first: MINUTE_MS, longest: HOUR_MS } as const;
const MAX_FAILED = 10_000;
/** The caller gets an answer by then; a warehouse that hangs is swept later. */
const WAREHOUSE_WAIT_MS = 10_000;
/** The sweep and its mutation, then the engine's old parts: it keeps them for eight minutes and looks every other. */
const GONE_AFTER_MS = 20 * MINUTE_MS;

export interface Erased {
  /** Names this erasure in the audit log, where the visitor is not named. */
  readonly erasureId: string;
  /** Those that were known here. An email address may have led to none, or to several. */
  readonly visitors: number;
  readonly sessions: number;
  readonly touches: number;
  /** Those that lost what pointed to the visitor; what was sold stays. */
  readonly conversions: number;
  /** Requests of Recent Activity that lost what was received. */
  readonly requests: number;
  /** Deliveries that lost request and answer, or are not sent any more. */
  readonly deliveries: number;
  /** null: the warehouse is down; they are erased as soon as it is back. */
  readonly events: number | null;
  /** When no byte of it is left on the disk, epoch milliseconds; null: not before the warehouse is back. */
  readonly goneBy: number | null;
}

export interface Erasure {
  /** Events that come afterwards are a new visitor's, even if the browser kept its id. */
  eraseVisitor(property: Owner, actor: string, visitorId: string): Promise<Erased>;
  /** All data of the conversions with the address, and of their visitors. */
  eraseByEmail(property: Owner, actor: string, email: string): Promise<Erased>;
  /** What other rooms have found out: these visitors with all their data, and these conversions. */
  erase(
    property: Owner,
    actor: string,
    whose: { readonly visitors: readonly string[]; readonly conversions: readonly string[] },
  ): Promise<Erased>;
  /** The job: erases again what may have come in beside the first time. */
  sweep(): Promise<void>;
  /** Of all organizations: erasures that should be over and are not, since a replica of the warehouse is down. */
  overdue(): Promise<Overdue>;
}

export interface Overdue {
  readonly count: number;
  /** Epoch ms of the oldest; null: none waits. */
  readonly since: number | null;
}

interface ErasureDeps {
  readonly database: Database;
  readonly events: Pick<EventStore, 'erase'>;
  readonly onErase: SessionsDeps['onErase'];
  readonly findByEmail: SessionsDeps['findByEmail'];
  readonly spools: Readonly<Record<'accepted' | 'rows', Pick<SessionsDeps['spools']['rows'], 'scrub'>>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly warehouseWaitMs?: number;
}

export function createErasure({
  database,
  events,
  onErase,
  findByEmail,
  spools,
  clock,
  log,
  warehouseWaitMs = WAREHOUSE_WAIT_MS,
}: ErasureDeps): Erasure {
  const failed = new Map<string, { readonly waitMs: number; readonly until: number }>();

  /** A log that is read all the time is emptied by the sweep. */
  const scrub = async (texts: readonly string[]): Promise<void> => {
    const all = [database.scrub(), spools.accepted.scrub(texts), spools.rows.scrub(texts)];
    for (const result of await Promise.allSettled(all))
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'a log could not be emptied yet');
  };

  /** @returns what was erased; `rows`: of visitors, sessions and touches together */
  const eraseRows = async (
    trx: Database['kysely'],
    { id, organizationId }: Owner,
    whose: Parameters<Erasure['erase']>[2],
  ) => {
    const counts = { touches: 0, sessions: 0 };
    let rows = 0;
    for (const table of ['touches', 'sessions', 'visitors'] as const) {
      const { numDeletedRows } = await trx
        .deleteFrom(table)
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('visitor_id', 'in', [...whose.visitors, ''])
        .executeTakeFirst();
      rows += Number(numDeletedRows);
      if (table !== 'visitors') counts[table] = Number(numDeletedRows);
    }
    const { conversions, requests, deliveries } = await onErase(trx, { id, organizationId }, whose);
    return { rows, ...counts, conversions, requests, deliveries };
  };

  const erase: Erasure['erase'] = async ({ id, organizationId }, actor, whose) => {
    const at = clock();
    const erasureId = randomUUID();
    const marks = whose.visitors.map(markOf);
    const { isKnown, ...erased } = await database.kysely.transaction().execute(async (trx) => {
      for (const mark of marks) {
        const owner = { attribution_id: id, visitor_id: markText(mark), organization_id: organizationId };
        await trx
          .insertInto('erased_visitors')
          .values({ ...owner, at, swept: 0 })
          .execute();
      }
      const { rows, ...counts } = await eraseRows(trx, { id, organizationId }, whose);
      // The proof that it was done names the erasure: who asked has its id, and the visitor is named no more.
      const subject = `${id}/${erasureId}`;
      await audit(trx, { at, actor, action: 'visitor.erased', subject, organizationId });
      return {
        isKnown: rows + counts.conversions + counts.requests + counts.deliveries > 0,
        ...counts,
      };
    });
    const scope = { organizationId, attributionIds: [id] };
    const counting = marks.map((mark) => events.erase(scope, mark, at));
    const counts = await within(Promise.all(counting), warehouseWaitMs).catch((error: unknown) => {
      log.warn({ err: error }, 'a visitor’s events could not be erased yet; it is tried again');
      return null;
    });
    await scrub(whose.visitors);
    return {
      erasureId,
      // A visitor of whom nothing was found was none.
      visitors: isKnown || sum(counts ?? []) > 0 ? marks.length : 0,
      ...erased,
      events: counts === null ? null : sum(counts),
      goneBy: counts === null ? null : clock() + GONE_AFTER_MS,
    };
  };

  return {
    erase,
    eraseVisitor: (property, actor, visitorId) =>
      erase(property, actor, { visitors: [visitorId], conversions: [] }),
    async eraseByEmail(property, actor, email) {
      return await erase(property, actor, await findByEmail(property, email));
    },
    async overdue() {
      const { count, since } = await database.reader
        .selectFrom('erased_visitors')
        .select((e) => [e.fn.countAll<number | string>().as('count'), e.fn.min('at').as('since')])
        .where('swept', '!=', 1)
        .where('at', '<', clock() - GONE_AFTER_MS)
        .executeTakeFirstOrThrow();
      return { count: Number(count), since: since === null ? null : Number(since) };
    },
    async sweep() {
      await eraseAgain(database, eraseRows);
      const marks = await database.reader
        .selectFrom('erased_visitors')
        .select(['attribution_id', 'visitor_id', 'organization_id', 'at'])
        .where('swept', '=', 0)
        .where('at', '<', clock() - SWEEP_AFTER_MS)
        .orderBy('at')
        .limit(SWEPT_AT_ONCE)
        .execute();
      for (const row of marks) {
        const scope = { organizationId: row.organization_id, attributionIds: [row.attribution_id] };
        const mark: ErasedMark = readMark(row.visitor_id);
        const key = `${row.attribution_id}/${row.visitor_id}/${row.at}`;
        const before = failed.get(key);
        if (before !== undefined && before.until > clock()) continue;
        try {
          await events.erase(scope, mark, row.at);
        } catch (error) {
          const waitMs =
            before === undefined ? RETRY_MS.first : Math.min(before.waitMs * 2, RETRY_MS.longest);
          if (failed.size >= MAX_FAILED) failed.clear();
          failed.set(key, { waitMs, until: clock() + waitMs });
          log.warn(
            { err: error, property: row.attribution_id, retryInMs: waitMs },
            'an erasure is not over: a visitor’s events could not be removed from every replica of the warehouse yet',
          );
          continue;
        }
        failed.delete(key);
        await database.kysely
          .updateTable('erased_visitors')
          .set({ swept: 1, visitor_id: markText(mark) })
          .where('attribution_id', '=', row.attribution_id)
          .where('organization_id', '=', row.organization_id)
          .where('visitor_id', '=', row.visitor_id)
          .where('at', '=', row.at)
          .execute();
      }
      // What waited at the time of the erasure has had its turn, and left the spools' files.
      if (marks.length > 0) await scrub([]);
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
