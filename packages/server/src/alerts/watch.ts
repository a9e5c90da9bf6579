/** What is remembered of a property from one look to the next: when it was looked at, and who is known. */
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { type EverSeen, everSeen, type Warehouse } from '../warehouse/index.ts';

/** Looks come every five minutes. What did not come in a longer hole may have come unseen. */
const MAX_HOLE_MS = 20 * MINUTE_MS;
/** As many bots and engines as there can be; further ones are new at every evaluation, but open an alert once a day, as all do. */
const MAX_KNOWN = 4_000;

export interface Watch {
  readonly watchingSince: number;
  /** Epoch ms; null: nothing has ever come. */
  readonly firstVisitAt: number | null;
  readonly known: { readonly bots: Set<string>; readonly engines: Set<string> };
  /** What this look has found in the whole history; to be written down. */
  readonly learnt: readonly EverSeen[];
}

/** @param database its writing side, so that two looks in a row never see less than was written */
export async function readWatch(
  { kysely }: Pick<Database, 'kysely'>,
  warehouse: Warehouse,
  owner: Owner,
  now: number,
): Promise<Watch> {
  const row = await kysely
    .selectFrom('alert_watches')
    .select(['evaluated_at', 'watching_since', 'first_visit_at'])
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .executeTakeFirst();
  const watchingSince = row !== undefined && now - row.evaluated_at <= MAX_HOLE_MS ? row.watching_since : now;
  if (row === undefined || row.first_visit_at === null) {
    const { names, firstVisitAt } = await everSeen(warehouse, {
      organizationId: owner.organizationId,
      attributionId: owner.id,
    });
    return { watchingSince, firstVisitAt, known: known(names), learnt: names };
  }
  const names = await kysely
    .selectFrom('alert_seen')
    .select(['kind', 'name'])
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .limit(MAX_KNOWN)
    .execute();
  return { watchingSince, firstVisitAt: row.first_visit_at, known: known(names), learnt: [] };
}

/** On its first day everything is new to a property, and none of it is news. */
export const isLearning = ({ firstVisitAt }: Watch, now: number): boolean =>
  firstVisitAt === null || now - firstVisitAt < DAY_MS;

export async function writeWatch(
  trx: Database['kysely'],
  { id, organizationId }: Owner,
  { watchingSince, firstVisitAt }: Watch,
  names: readonly EverSeen[],
  now: number,
): Promise<void> {
  const columns = { evaluated_at: now, watching_since: watchingSince, first_visit_at: firstVisitAt };
  await trx
    .insertInto('alert_watches')
    .values({ attribution_id: id, organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(columns))
    .execute();
  for (let from = 0; from < names.length; from += 500)
    await trx
      .insertInto('alert_seen')
      .values(
        names.slice(from, from + 500).map(({ kind, name, first_at }) => ({
          attribution_id: id,
          organization_id: organizationId,
          kind,
          name,
          first_at,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

const known = (names: readonly Pick<EverSeen, 'kind' | 'name'>[]): Watch['known'] => ({
  bots: new Set(names.filter(({ kind }) => kind === 'bot').map(({ name }) => name)),
  engines: new Set(names.filter(({ kind }) => kind === 'engine').map(({ name }) => name)),
});
