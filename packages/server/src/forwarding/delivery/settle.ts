/** Writes down what became of deliveries, in one transaction with what that says about their destination. */
import { type RawBuilder, sql } from 'kysely';
import { piecesOf } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import type { DeliveryDeps, DeliveryRow, DestinationRow } from './ports.ts';
import type { Effect, Outcome, Returned } from './records.ts';
import { openMs } from './timing.ts';

type Queries = Database['kysely'];

/** Rows of one statement: SQLite's only writer is held by each for some milliseconds, and all others wait. */
const CHUNK = 200;

export interface Settlement {
  /** null: nothing was learnt of it. */
  readonly effect: Effect | null;
  readonly outcomes: readonly Outcome[];
  readonly returned: readonly Returned[];
}

/**
 * What is no longer ours is left alone: another node has claimed it, or a person has changed it.
 * @returns what was written, by delivery
 */
export async function settle(
  { database }: Pick<DeliveryDeps, 'database'>,
  destination: DestinationRow,
  { effect, outcomes, returned }: Settlement,
  now: number,
): Promise<readonly Written[]> {
  const { kysely, adapter } = database;
  const written: Written[] = [];
  // The destination first: rows that are due again must not be claimed before its alarm stands.
  const parts = outcomes.length === 0 && effect !== null ? [[]] : piecesOf(outcomes, CHUNK);
  for (const [n, part] of parts.entries()) {
    const rows = await kysely.transaction().execute(async (trx) => {
      if (n === 0 && effect !== null) await apply(trx, destination, effect, now);
      return part.length === 0 ? [] : await update(trx, adapter, destination, part, now);
    });
    written.push(...rows);
  }
  for (const part of piecesOf(returned, CHUNK)) await giveBack(kysely, adapter, destination, part, now);
  return written;
}

export type Written = Pick<DeliveryRow, 'id' | 'state'>;

const TEXTS = [
  'state',
  'reason',
  'message',
  'platform_event',
  'guarantee',
  'split',
  'ref',
  'history',
] as const;
const NUMBERS = ['attempts', 'next_at', 'sent_at', 'settled_at'] as const;

async function update(
  db: Queries,
  { jsonItems }: Database['adapter'],
  destination: DestinationRow,
  outcomes: readonly Outcome[],
  now: number,
): Promise<Written[]> {
  const text = (name: string) => sql`${sql.ref(name)} = v.value ->> ${sql.lit(name)}`;
  const number = (name: string) => sql`${sql.ref(name)} = cast(v.value ->> ${sql.lit(name)} as bigint)`;
  const kept = (name: string) =>
    sql`${sql.ref(name)} = coalesce(v.value ->> ${sql.lit(name)}, ${sql.ref(`deliveries.${name}`)})`;
  const { rows } = await sql<Written>`
    update deliveries set ${sql.join([...TEXTS.map(text), ...NUMBERS.map(number), ...['request', 'response'].map(kept)])},
      lease = null, lease_until = null, updated_at = ${now}
    from ${jsonItems(outcomes)}
    where deliveries.id = v.value ->> 'id' and deliveries.lease = v.value ->> 'lease'
      and ${isOwn(destination)}
      and deliveries.state in ('pending', 'sending', 'retry', 'accepted_async', 'unknown')
    returning deliveries.id, deliveries.state`.execute(db);
  return rows;
}

/** Not a bare column: SQLite would read all deliveries of the organization by its index, once for each row of the list. */
const isOwn = ({ organization_id }: DestinationRow): RawBuilder<unknown> =>
  sql`deliveries.organization_id || '' = ${organization_id}`;

async function giveBack(
  db: Queries,
  { jsonItems }: Database['adapter'],
  destination: DestinationRow,
  returned: readonly Returned[],
  now: number,
): Promise<void> {
  const list = returned.map(({ row: { id, lease }, nextAt }) => ({ id, lease, next_at: nextAt }));
  await sql`
    update deliveries set
      state = case when attempts = 0 then 'pending' else 'retry' end,
      next_at = coalesce(cast(v.value ->> 'next_at' as bigint), next_at),
      lease = null, lease_until = null, updated_at = ${now}
    from ${jsonItems(list)}
    where deliveries.id = v.value ->> 'id' and deliveries.lease = v.value ->> 'lease'
      and ${isOwn(destination)} and deliveries.state = 'sending'`.execute(db);
}

async function apply(db: Queries, destination: DestinationRow, effect: Effect, now: number): Promise<void> {
  const mine = db
    .updateTable('destinations')
    .where('id', '=', destination.id)
    .where('organization_id', '=', destination.organization_id);
  switch (effect.kind) {
    case 'ok':
      // Most requests find nothing to fix, and write nothing.
      if (destination.failures > 0) await mine.set({ failures: 0, not_before: null }).execute();
      return;
    case 'failed': {
      // Requests that were under way together when it broke are one failure: the first of them has set the time until which all wait.
      const failed = await mine
        .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
        .$if(!effect.probe, (query) =>
          query.where(({ eb, or }) => or([eb('not_before', 'is', null), eb('not_before', '<=', now)])),
        )
        .returning('failures')
        .executeTakeFirst();
      const pause = Math.max(effect.leastMs, openMs(failed?.failures ?? 0) ?? 0);
      if (failed !== undefined && pause > 0) await mine.set({ not_before: now + pause }).execute();
      return;
    }
    case 'wait':
      await mine
        .set({ not_before: now + effect.ms })
        .where(({ eb, or }) => or([eb('not_before', 'is', null), eb('not_before', '<', now + effect.ms)]))
        .execute();
      return;
    case 'alarm': {
      const { cause, code, message } = effect;
      // A person may have fixed it while the request was in progress.
      await mine
        .set({ alarm: JSON.stringify({ kind: cause, code, message, at: now }) })
        .where('revision', '=', destination.revision)
        .where('alarm', 'is', null)
        .execute();
    }
  }
}
