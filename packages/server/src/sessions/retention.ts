/** What is deleted, and when: in bounded steps, so that no query waits for a long delete. */
import { setImmediate as turn } from 'node:timers/promises';
import { DAY_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';

/** Repetitions come within 48 h; a day more, for a spool that waited. */
const SEEN_MS = 3 * DAY_MS;
/** Ad platforms take conversions of a week, some of a month: after that an address is of no use to them. */
const CLIENT_MS = 30 * DAY_MS;
/** Longer than any spool waits for its stores. */
const ERASED_MS = 90 * DAY_MS;
const STEP = 2_000;
/** Steps in one run, enough for the ids of 1,000 events a second; what is left is the next hour's. */
const MAX_STEPS = 2_000;

export interface Forgotten {
  readonly touches: number;
  readonly sessions: number;
  readonly visitors: number;
}

export async function forgetOld(database: Database, clock: Clock, retentionDays: number): Promise<Forgotten> {
  const now = clock();
  const old = now - retentionDays * DAY_MS;
  const clean =
    (...aged: Aged) =>
    (until: number) =>
      stepwise(() => deleteOldest(database, aged, until));
  await clean('seen_events', 'at')(now - SEEN_MS);
  await clean('erased_visitors', 'at')(now - ERASED_MS);
  await stepwise(() => clearClients(database, now - CLIENT_MS));
  return {
    touches: await clean('touches', 'at')(old),
    sessions: await clean('sessions', 'last_at')(old),
    visitors: await clean('visitors', 'last_seen')(old),
  };
}

async function stepwise(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const count = await step();
    total += count;
    if (count < STEP) break;
    await turn();
  }
  return total;
}

type Aged =
  | ['seen_events' | 'erased_visitors' | 'touches', 'at']
  | ['sessions', 'last_at']
  | ['visitors', 'last_seen'];

async function deleteOldest(database: Database, [table, column]: Aged, until: number): Promise<number> {
  const row = database.adapter.rowAddress;
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (
    select ${row} from ${sql.table(table)} where ${sql.ref(column)} < ${until} limit ${sql.lit(STEP)})`.execute(
    database.kysely,
  );
  return Number(numAffectedRows ?? 0);
}

async function clearClients({ kysely }: Database, until: number): Promise<number> {
  const { numUpdatedRows } = await kysely
    .updateTable('touches')
    .set({ client: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('touches')
        .select('id')
        .where('at', '<', until)
        .where('client', 'is not', null)
        .limit(STEP),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
