/** The rows of an organization, table by table and page by page: memory is bounded by a page. */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Database, entryOf } from '../../database/index.ts';
import { ownedDays, ownedPages, type Warehouse } from '../../warehouse/index.ts';
import { isHashed, STATE_FILES, WAREHOUSE_FILES } from './files.ts';

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
function hasher(organizationId: string): (table: string, row: Values) => Values {
  return (table, row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        isHashed(table, name) && typeof value === 'string' && value !== ''
          ? createHash('sha256').update(`${organizationId}:${value}`).digest('hex')
          : value,
      ]),
    );
}

async function* partsIn(
  table: string,
  pages: AsyncIterable<readonly Values[]>,
  hash: (table: string, row: Values) => Values,
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
      lines.push(JSON.stringify(hash(table, row)));
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

/**
 * By a key that no update changes: rows that are written meanwhile may be in it or not, and none is in it twice. One transaction for all
 * pages would be simpler, but a takeout may take hours, in which PostgreSQL could clean up nothing.
 */
async function* stateRows(
  { reader, adapter }: Pick<Database, 'reader' | 'adapter'>,
  table: (typeof STATE_FILES)[number]['table'],
  columns: readonly string[],
  organizationId: string,
): AsyncGenerator<readonly Values[]> {
  const owner = entryOf(table).organization;
  if (owner === null) return;
  const key = (await adapter.pageKey(reader, table)).map((name) => sql.ref(name));
  const selected = [
    ...key.map((column, index) => sql`${column} as ${sql.ref(`page_key_${index}`)}`),
    ...columns.map((column) => sql.ref(column)),
  ];
  for (let after: readonly unknown[] | null = null; ; ) {
    const behind: RawBuilder<unknown> =
      after === null ? sql`` : sql`and (${sql.join(key)}) > (${sql.join(after)})`;
    const { rows }: { rows: Values[] } =
      await sql<Values>`select ${sql.join(selected)} from ${sql.table(table)}
where ${sql.ref(owner)} = ${organizationId} ${behind} order by ${sql.join(key)} limit ${sql.lit(PAGE)}`.execute(
        reader,
      );
    if (rows.length > 0)
      yield rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = key.map((_, index) => last[`page_key_${index}`]);
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
