/** The rows of an organization, table by table and page by page: memory is bounded by a page. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, entryOf } from '../../database/index.ts';
import { ownedDays, ownedPages, type Warehouse } from '../../warehouse/index.ts';
import { HASHED, STATE_FILES, WAREHOUSE_FILES } from './files.ts';

/** Rows in one part of a file. */
export const PART_ROWS = 10_000;
/** Rows of the state database in one statement. */
const PAGE = 1_000;

type Values = Readonly<Record<string, unknown>>;
export interface Part {
  readonly table: string;
  /** Lines of JSON, each ended by a line feed. */
  readonly text: string;
  readonly rows: number;
}

/** In the order of the README. */
export async function* partsOf(
  database: Pick<Database, 'reader' | 'adapter'>,
  warehouse: Pick<Warehouse, 'rows'>,
  organizationId: string,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const hash = hasher(organizationId);
  for (const { table, columns } of STATE_FILES)
    yield* partsIn(table, stateRows(database, table, columns, organizationId), hash, signal);
  const properties = await propertiesOf(database, organizationId);
  for (const { table, columns } of WAREHOUSE_FILES)
    yield* partsIn(
      table,
      warehouseRows(warehouse, table, columns, organizationId, properties, signal),
      hash,
      signal,
    );
}

/** The same value is the same hash in every file of the organization, and another one elsewhere. */
function hasher(organizationId: string): (row: Values) => Values {
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        HASHED.has(name) && typeof value === 'string' && value !== ''
          ? createHash('sha256').update(`${organizationId}:${value}`).digest('hex')
          : value,
      ]),
    );
}

async function* partsIn(
  table: string,
  pages: AsyncIterable<readonly Values[]>,
  hash: (row: Values) => Values,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  let lines: string[] = [];
  const part = (): Part => {
    const made = { table, text: `${lines.join('\n')}\n`, rows: lines.length };
    lines = [];
    return made;
  };
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const row of page) {
      // `SELECT *`-like answers may have more columns than are allowed out: the lists of `files.ts` were asked for by name.
      lines.push(JSON.stringify(hash(row)));
      if (lines.length === PART_ROWS) yield part();
    }
  }
  if (lines.length > 0) yield part();
}

async function propertiesOf({ reader }: Pick<Database, 'reader'>, organizationId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('properties')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** In the order in which the rows are on the disk: rows that are written meanwhile may be in it or not, and none is in it twice. */
async function* stateRows(
  { reader, adapter }: Pick<Database, 'reader' | 'adapter'>,
  table: (typeof STATE_FILES)[number]['table'],
  columns: readonly string[],
  organizationId: string,
): AsyncGenerator<readonly Values[]> {
  const owner = entryOf(table).organization;
  if (owner === null) return;
  const address = adapter.rowAddress;
  for (let after: unknown = null; ; ) {
    const { rows } = await sql<
      Values & { row_address: unknown }
    >`select ${address} as row_address, ${sql.join(columns.map((column) => sql.ref(column)))}
from ${sql.table(table)} where ${sql.ref(owner)} = ${organizationId}
${after === null ? sql`` : sql`and ${address} > ${after}`} order by ${address} limit ${sql.lit(PAGE)}`.execute(
      reader,
    );
    if (rows.length > 0) yield rows.map(({ row_address: _, ...row }) => row);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.row_address ?? null;
  }
}

async function* warehouseRows(
  warehouse: Pick<Warehouse, 'rows'>,
  table: (typeof WAREHOUSE_FILES)[number]['table'],
  columns: readonly string[],
  organizationId: string,
  properties: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly Values[]> {
  for (const attributionId of properties) {
    const owner = { organizationId, attributionId };
    if (table === 'hits' || table === 'events')
      yield* ownedPages(warehouse, table, columns, owner, PART_ROWS, signal);
    else yield* ownedDays(warehouse, table, columns, owner, signal);
  }
}
