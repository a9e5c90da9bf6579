/** For the room's tests: rows in every table of both stores, made from their columns. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, entryOf, TABLE_NAMES } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { OWNED_TABLES, type Warehouse } from '../warehouse/index.ts';

/** Rows of these are made by what a test does, or are of the installation. */
const NOT_FILLED = new Set([
  'organizations',
  'properties',
  'deletions',
  'installation',
  'locks',
  'list_snapshots',
]);

/** One row in every table of the state database that has rows of properties, organizations or people. @returns the person */
export async function fillState({ kysely }: Database, { id, organizationId }: Owner): Promise<string> {
  const tables = await kysely.introspection.getTables();
  const parents: Record<string, string> = { person_id: randomUUID() };
  for (const name of TABLE_NAMES) {
    if (NOT_FILLED.has(name)) continue;
    const { property, organization, person } = entryOf(name);
    const columns = tables.find((table) => table.name === name)?.columns ?? [];
    const own = person === 'id' ? parents['person_id'] : randomUUID();
    if (name === 'destinations') parents['destination_id'] = own ?? '';
    const values = columns.flatMap(({ name: column, dataType, isNullable }): [string, unknown][] => {
      if (column === 'id') return [[column, own]];
      if (column === property) return [[column, id]];
      if (column === organization) return [[column, organizationId]];
      if (column in parents) return [[column, parents[column]]];
      return isNullable ? [] : [[column, sampleOf(dataType)]];
    });
    await sql`insert into ${sql.table(name)} (${sql.join(values.map(([column]) => sql.ref(column)))})
values (${sql.join(values.map(([, value]) => value))})`.execute(kysely);
  }
  return parents['person_id'] ?? '';
}

function sampleOf(dataType: string): unknown {
  const type = dataType.toLowerCase();
  if (/bool/.test(type)) return true;
  if (/time|date/.test(type)) return new Date(0).toISOString();
  return /text|char/.test(type) ? randomUUID() : 1;
}

/** Two rows in every table of the warehouse, in two months where the table has months. */
export async function fillWarehouse(
  warehouse: Warehouse,
  owner: Owner,
  months: readonly string[],
): Promise<void> {
  const columns = await warehouse.rows<{ table: string; name: string }>('report', {
    sql: `SELECT table, name FROM system.columns WHERE database = currentDatabase()`,
  });
  for (const table of OWNED_TABLES) {
    const time = ['at', 'day'].find((name) =>
      columns.some((column) => column.table === table && column.name === name),
    );
    await warehouse.command({
      sql: `INSERT INTO ${table} (organization_id, attribution_id${time === undefined ? '' : `, ${time}`})
SELECT {organization:UUID}, {property:UUID}${time === undefined ? '' : ", toDate(concat(month, '-03'))"}
FROM (SELECT arrayJoin([${months.map((month) => `'${month}'`).join(', ')}]) AS month)`,
      params: { organization: owner.organizationId, property: owner.id },
    });
  }
}
