/** All data of a property, or of an organization, in the state database: counted, and deleted in bounded steps. */
import { sql } from 'kysely';
import { type Database, entryOf, TABLE_NAMES, type TableName } from '../../database/index.ts';
import type { OwnedBy } from '../../warehouse/index.ts';
import { deleteInSteps } from '../delete-in-steps.ts';

/** Tables with rows that go, parents first. */
function tablesOf({ attributionId }: OwnedBy): { table: TableName; column: string }[] {
  return TABLE_NAMES.flatMap((table) => {
    const { property, organization, stays } = entryOf(table);
    const column = attributionId === null ? organization : property;
    return column === null || stays !== undefined ? [] : [{ table, column }];
  });
}

/** Rows by table; every table that has rows of properties, or of organizations, is named. */
export async function countState(
  { reader }: Pick<Database, 'reader'>,
  owner: OwnedBy,
): Promise<Readonly<Record<string, number>>> {
  const counts: [string, number][] = [];
  for (const { table } of tablesOf(owner)) {
    const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}
where ${condition(owner)}`.execute(reader);
    counts.push([table, Number(rows[0]?.n ?? 0)]);
  }
  return Object.fromEntries(counts);
}

/** May be cut off at any point and begun again. */
export async function deleteState(
  database: Pick<Database, 'kysely' | 'adapter'>,
  owner: OwnedBy,
  signal?: AbortSignal,
): Promise<void> {
  for (const { table } of tablesOf(owner).toReversed())
    await deleteInSteps(database, table, condition(owner), signal);
}

const condition = ({ organizationId, attributionId }: OwnedBy) =>
  attributionId === null
    ? sql`organization_id = ${organizationId}`
    : sql`attribution_id = ${attributionId} and organization_id = ${organizationId}`;

/** What stays of it says nothing any more. */
export async function emptyMarks(
  { kysely }: Pick<Database, 'kysely'>,
  { organizationId, attributionId }: OwnedBy,
): Promise<void> {
  let properties = kysely
    .updateTable('properties')
    .set({ name: '', domain: '' })
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is not', null);
  if (attributionId !== null) properties = properties.where('id', '=', attributionId);
  await properties.execute();
  if (attributionId === null)
    await kysely
      .updateTable('organizations')
      .set({ name: '' })
      .where('id', '=', organizationId)
      .where('deleted_at', 'is not', null)
      .execute();
}
