/** All data of a property, or of an organization: counted, and deleted from the disk, one month of a table at a time. */
import { sum } from '../common/index.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import { OWNED_TABLES, type OwnedTable } from './schema/tables.ts';
import type { Warehouse } from './warehouse.ts';

export interface OwnedBy {
  readonly organizationId: string;
  /** null: all data of the organization. */
  readonly attributionId: string | null;
}

const SETTINGS = { ...NUMBERS_AS_NUMBERS, max_execution_time: 120 } as const;

const condition = ({ attributionId }: OwnedBy): string =>
  `organization_id = {organization:UUID}${attributionId === null ? '' : ' AND attribution_id = {property:UUID}'}`;
const paramsOf = ({ organizationId, attributionId }: OwnedBy) => ({
  organization: organizationId,
  ...(attributionId === null ? {} : { property: attributionId }),
});

/** Rows by table; every table is named. */
export async function countOwned(
  warehouse: Pick<Warehouse, 'rows'>,
  owner: OwnedBy,
): Promise<Readonly<Record<OwnedTable, number>>> {
  const partitions = await partitionsOf(warehouse, owner);
  return Object.fromEntries(
    OWNED_TABLES.map((table) => [table, sum(partitions.get(table) ?? [], ({ rows }) => rows)]),
  ) as Record<OwnedTable, number>;
}

/**
 * Deletes what is stored by now, by mutations that are awaited on every replica: each rewrites one month of a table. May be cut off
 * at any point and begun again. @throws when the warehouse or one of its replicas is down; when an earlier mutation still runs
 */
export async function deleteOwned(
  warehouse: Pick<Warehouse, 'rows' | 'command' | 'standing'>,
  owner: OwnedBy,
  signal?: AbortSignal,
): Promise<void> {
  const replicated = (await warehouse.standing()) === 'replicated';
  const partitions = await partitionsOf(warehouse, owner);
  for (const table of OWNED_TABLES) {
    const found = partitions.get(table) ?? [];
    if (found.length > 0 || replicated) await refuseIfMutating(warehouse, table);
    for (const { partition } of found) {
      if (signal?.aborted === true) return;
      await mutate(warehouse, table, `IN PARTITION ID '${checkedPartition(partition)}' `, owner);
    }
    // Where one replica has none left, another that was down may still have them: only a mutation that all have run says that they are gone.
    if (replicated && signal?.aborted !== true) await mutate(warehouse, table, '', owner);
  }
}

async function mutate(
  warehouse: Pick<Warehouse, 'command'>,
  table: OwnedTable,
  where: string,
  owner: OwnedBy,
): Promise<void> {
  await warehouse.command(
    {
      sql: `ALTER TABLE ${table} DELETE ${where}WHERE ${condition(owner)}`,
      params: paramsOf(owner),
      settings: { mutations_sync: 2 },
    },
    'report',
  );
}

interface Partition {
  readonly table: OwnedTable;
  readonly partition: string;
  readonly rows: number;
}

/** Of all tables in one statement, whose planning would else cost more than its reading. A table without rows has no entry. */
async function partitionsOf(
  warehouse: Pick<Warehouse, 'rows'>,
  owner: OwnedBy,
): Promise<ReadonlyMap<OwnedTable, readonly Partition[]>> {
  const ofTable = (
    table: OwnedTable,
  ) => `SELECT '${table}' AS table, _partition_id AS partition, count() AS rows
FROM ${table} WHERE ${condition(owner)} GROUP BY partition ORDER BY partition LIMIT 10000`;
  const found = await warehouse.rows<Partition>('report', {
    sql: OWNED_TABLES.map((table) => `(${ofTable(table)})`).join('\nUNION ALL\n'),
    params: paramsOf(owner),
    settings: SETTINGS,
  });
  return Map.groupBy(found, ({ table }) => table);
}

/** A wait that ended too early would else add the same mutation again and again. */
export async function refuseIfMutating(warehouse: Pick<Warehouse, 'rows'>, table: string): Promise<void> {
  const [running] = await warehouse.rows('report', {
    sql: `SELECT 1 FROM system.mutations
WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1`,
    params: { table },
    settings: SETTINGS,
  });
  if (running !== undefined)
    throw new Error(`The warehouse is still deleting rows of the table ${table}; it is tried again.`);
}

export function checkedPartition(id: string): string {
  if (!/^\w{1,64}$/.test(id)) throw new TypeError('Not the ID of a partition');
  return id;
}
