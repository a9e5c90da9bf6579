/**
 * A restore brings back visitors that were erased after the backup. It takes over their marks (`swept` = 2), which don't name them: here
 * the visitors of those properties are compared with the marks, and those that are meant are named to what erases.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Database, Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { type ErasedMark, isMarked, readMark } from './erased-mark.ts';

/** Ids that are compared at once: a hash for each of them and each mark. */
const PAGE = 500;
const MARKS_AT_ONCE = 20;
/** Tables that name a visitor. */
const NAMING = ['visitors', 'sessions', 'touches', 'conversions'] as const;

/** All data of these visitors in the database, in the given transaction. */
export type EraseRows = (
  trx: Database['kysely'],
  property: Owner,
  whose: { readonly visitors: readonly string[]; readonly conversions: readonly string[] },
) => Promise<unknown>;

/** Then the sweep does the rest, as with a new mark. May be cut off at any point and begun again. */
export async function eraseAgain(database: Database, eraseRows: EraseRows): Promise<void> {
  for (;;) {
    const first = await restored(database).orderBy('at').limit(1).executeTakeFirst();
    if (first === undefined) return;
    const property = { id: first.attribution_id, organizationId: first.organization_id };
    const rows = await restored(database)
      .where('attribution_id', '=', property.id)
      .where('organization_id', '=', property.organizationId)
      .orderBy('at')
      .limit(MARKS_AT_ONCE)
      .execute();
    const visitors = await found(
      database,
      property,
      rows.map((row) => readMark(row.visitor_id)),
    );
    await database.kysely.transaction().execute(async (trx) => {
      if (visitors.length > 0) await eraseRows(trx, property, { visitors, conversions: [] });
      await trx
        .updateTable('erased_visitors')
        .set({ swept: 0 })
        .where('attribution_id', '=', property.id)
        .where('organization_id', '=', property.organizationId)
        .where('swept', '=', 2)
        .where(
          'visitor_id',
          'in',
          rows.map((row) => row.visitor_id),
        )
        .execute();
    });
  }
}

const restored = ({ reader }: Database) =>
  reader
    .selectFrom('erased_visitors')
    .select(['attribution_id', 'organization_id', 'visitor_id'] satisfies (keyof Row<'erased_visitors'>)[])
    .where('swept', '=', 2);

async function found(
  { reader }: Database,
  { id, organizationId }: Owner,
  marks: readonly ErasedMark[],
): Promise<string[]> {
  const visitors = new Set<string>();
  for (const table of NAMING)
    for (let after = ''; ; ) {
      const rows = await reader
        .selectFrom(table)
        .select('visitor_id')
        .distinct()
        .where('attribution_id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('visitor_id', '>', after)
        .orderBy('visitor_id')
        .limit(PAGE)
        .execute();
      for (const { visitor_id: visitor } of rows)
        if (visitor !== null && marks.some((mark) => isMarked(mark, visitor))) visitors.add(visitor);
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.visitor_id ?? '';
      await turn();
    }
  return [...visitors];
}
