/**
 * The state database of one installation copied into another database, for `ghostlight move`: table by table in the register's order, in
 * pages by primary key. Page and position are one transaction of the target, so that a killed copy goes on behind the last page.
 */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ORGANIZATION_ID, StartError } from '../common/index.ts';
import type { Database } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { TABLE_NAMES, type TableName } from './table-register.ts';

/** Rows of a page: with the columns of the widest table fewer parameters than either database takes. */
const PAGE_ROWS = 400;
/** In the target's table of installation facts, while it is not whole. A service refuses to start on it. */
const MARK = 'unfinished-move';
/** Rows of a lease that ends with its holder: what a stopped service leaves behind. */
const LEFT_OUT: ReadonlySet<TableName> = new Set(['locks']);
/** Of the table of installation facts: notes of running nodes, and of the disk check. */
const TRANSIENT = /^(?:node-keys:|node-spool:|disk-)/;

export const MOVED_TABLES: readonly TableName[] = TABLE_NAMES.filter((table) => !LEFT_OUT.has(table));

type Kind = 'text' | 'integer' | 'float' | 'boolean' | 'moment';

/** As both databases declare the types of our migrations. */
const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  ...{ bigint: 'integer', int8: 'integer', integer: 'integer', int4: 'integer' },
  ...{ 'double precision': 'float', float8: 'float' },
  ...{ boolean: 'boolean', bool: 'boolean' },
  timestamptz: 'moment',
};

interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface MovedTable {
  readonly name: TableName;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

/** A value as both databases have it: text, a number that is no whole one, or null. Whole numbers are their digits, whatever their size. */
type Value = string | number | null;
type Values = readonly Value[];

/** Where a copy is. */
export interface MovePosition {
  /** Which installation is copied: nothing else may be written on. */
  readonly from: string;
  /** The table under way, and the key of its last row that is in the target; null: the next table begins. */
  readonly table: TableName | null;
  readonly after: readonly (string | number)[] | null;
  /** Everything is there: only the comparison is left. */
  readonly copied: boolean;
}

export interface TableFigures {
  readonly rows: number;
  /** Sum of the rows' digests, which no order changes. */
  readonly digest: string;
}

/** @returns what the migrations that have run in it say of its version */
export async function versionOf(database: Database): Promise<'empty' | 'this' | 'older' | 'other'> {
  const tables = await database.reader.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return 'empty';
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database.reader,
  );
  const known = Object.keys(MIGRATIONS);
  if (rows.some(({ name }, index) => name !== known[index])) return 'other';
  return rows.length === known.length ? 'this' : 'older';
}

/** Names an installation by what it alone has; null: no service has ever started on it. */
export async function installationOf(database: Database): Promise<string | null> {
  const row = await database.reader
    .selectFrom('installation')
    .select('value')
    .where('key', '=', 'canary')
    .executeTakeFirst();
  return row === undefined ? null : createHash('sha256').update(row.value).digest('hex').slice(0, 24);
}

/** When a running node was last heard of, if within three minutes; epoch milliseconds. */
export async function lastHeardOf(database: Database, now: number): Promise<number | null> {
  const rows = await database.reader
    .selectFrom('installation')
    .select('value')
    .where('key', 'like', 'node-keys:%')
    .execute();
  const times = rows.map(({ value }) => Number((JSON.parse(value) as { at: unknown }).at));
  const last = Math.max(0, ...times);
  return now - last < 180_000 ? last : null;
}

/** @throws Error for a type that has no place in `KINDS`; the register's test copies every table */
export async function movedTables(database: Database): Promise<readonly MovedTable[]> {
  const found = await database.reader.introspection.getTables();
  const tables: MovedTable[] = [];
  for (const name of MOVED_TABLES) {
    const columns = (found.find((table) => table.name === name)?.columns ?? []).map((column) => {
      const kind = KINDS[column.dataType.toLowerCase()];
      if (kind === undefined) throw new Error(`${name}.${column.name} has the type ${column.dataType}`);
      return { name: column.name, kind };
    });
    columns.sort((a, b) => (a.name < b.name ? -1 : 1));
    tables.push({ name, columns, key: await database.adapter.primaryKey(database.reader, name) });
  }
  return tables;
}

export async function countRows(database: Database, table: TableName): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(
    database.reader,
  );
  return Number(rows[0]?.n ?? 0);
}

/** @returns the first table that has rows of an installation; those that a migration makes don't count */
export async function firstFilled(database: Database): Promise<{ table: TableName; rows: number } | null> {
  for (const table of MOVED_TABLES) {
    const rows = await countRows(database, table);
    const own = table === 'organizations' && rows === 1 ? await countDefault(database) : 0;
    if (rows > own) return { table, rows };
  }
  return null;
}

async function countDefault(database: Database): Promise<number> {
  const rows = await database.reader
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', DEFAULT_ORGANIZATION_ID)
    .where('created_at', '=', 0)
    .execute();
  return rows.length;
}

export async function positionOf(database: Database): Promise<MovePosition | null> {
  const row = await database.reader
    .selectFrom('installation')
    .select('value')
    .where('key', '=', MARK)
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.value) as MovePosition);
}

async function setPosition(db: Database['kysely'], position: MovePosition): Promise<void> {
  const value = JSON.stringify(position);
  await db
    .insertInto('installation')
    .values({ key: MARK, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Marks an empty target as the beginning of a move. What its migrations wrote goes: the source has its own. */
export async function beginMove(target: Database, from: string): Promise<MovePosition> {
  const position: MovePosition = { from, table: null, after: null, copied: false };
  await target.kysely.transaction().execute(async (trx) => {
    await trx.deleteFrom('organizations').execute();
    await setPosition(trx, position);
  });
  return position;
}

/** The target is whole: services may start on it. */
export async function endMove(target: Database): Promise<void> {
  await target.kysely.deleteFrom('installation').where('key', '=', MARK).execute();
}

/** A copy that differs is begun again: nothing refers to what is in it yet. */
export async function emptyTarget(target: Database, from: string): Promise<MovePosition> {
  for (const table of MOVED_TABLES.toReversed())
    if (table !== 'installation') await sql`delete from ${sql.table(table)}`.execute(target.kysely);
  await target.kysely.deleteFrom('installation').where('key', '!=', MARK).execute();
  return await beginMove(target, from);
}

/**
 * Copies what is not there yet.
 * @param options.onPage called with rows that are in the target now, table by table
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  position: MovePosition,
  { onPage, signal }: { onPage: (table: TableName, rows: number) => void; signal: AbortSignal },
): Promise<void> {
  const tables = await movedTables(source);
  const from = position.table === null ? 0 : tables.findIndex(({ name }) => name === position.table);
  for (const [index, table] of tables.entries()) {
    if (index < from || position.copied) continue;
    let after = index === from ? position.after : null;
    for (;;) {
      signal.throwIfAborted();
      const page = await readPage(source, table, after);
      const last = page.at(-1);
      if (last === undefined) break;
      after = keyOf(table, last);
      const next: MovePosition = { ...position, table: table.name, after };
      await writePage(target, table, kept(table, page), next);
      onPage(table.name, page.length);
      if (page.length < PAGE_ROWS) break;
    }
  }
  await setPosition(target.kysely, { ...position, table: null, after: null, copied: true });
}

async function readPage(
  { reader }: Database,
  { name, columns, key }: MovedTable,
  after: readonly (string | number)[] | null,
): Promise<Values[]> {
  const list = sql.join(columns.map(read));
  const order = sql.join(key.map((column) => sql.ref(column)));
  const behind =
    after === null
      ? sql``
      : sql`where (${order}) > (${sql.join(
          after.map((value, index) =>
            bound(columns.find((column) => column.name === key[index])?.kind, value),
          ),
        )})`;
  const { rows } = await sql<Record<string, unknown>>`select ${list} from ${sql.table(name)} ${behind}
order by ${order} limit ${sql.lit(PAGE_ROWS)}`.execute(reader);
  return rows.map((row) => columns.map((column) => canonical(column, row[column.name])));
}

/** Whole numbers come as text: either driver refuses, or rounds, what JavaScript can't hold. */
const read = ({ name, kind }: Column): RawBuilder<unknown> =>
  kind === 'integer' ? sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}` : sql.ref(name);

function canonical({ kind }: Column, value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'float') return Number(value);
  if (kind === 'boolean') return value === true || Number(value) === 1 ? '1' : '0';
  if (kind === 'moment') return (value instanceof Date ? value : new Date(String(value))).toISOString();
  return String(value);
}

const bound = (kind: Kind | undefined, value: Value): unknown =>
  kind === 'integer' && value !== null ? BigInt(value) : value;

function keyOf({ columns, key }: MovedTable, row: Values): (string | number)[] {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? '');
}

function kept({ name, columns }: MovedTable, page: readonly Values[]): readonly Values[] {
  if (name !== 'installation') return page;
  const key = columns.findIndex((column) => column.name === 'key');
  return page.filter((row) => !TRANSIENT.test(String(row[key])) && row[key] !== MARK);
}

async function writePage(
  { kysely, adapter }: Database,
  { name, columns }: MovedTable,
  page: readonly Values[],
  position: MovePosition,
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  const rows = page.map(
    (row) => sql`(${sql.join(row.map((value, index) => bound(columns[index]?.kind, value)))})`,
  );
  try {
    await kysely.transaction().execute(async (trx) => {
      if (rows.length > 0)
        await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(rows)}`.execute(trx);
      await setPosition(trx, position);
    });
  } catch (error) {
    if (!(error instanceof Error) || !adapter.refusesRows(error)) throw error;
    throw new StartError(`The target refuses a row of the table ${name}: ${error.message}`, { cause: error });
  }
}

const WORD = 2n ** 64n;

/** Rows and digests of a table, as it is moved. */
export async function figuresOf(database: Database, table: MovedTable): Promise<TableFigures> {
  let rows = 0;
  let digest = 0n;
  let after: (string | number)[] | null = null;
  for (;;) {
    const page: Values[] = await readPage(database, table, after);
    for (const row of kept(table, page)) {
      rows += 1;
      digest += createHash('sha256').update(JSON.stringify(row)).digest().readBigUInt64LE();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) break;
    after = keyOf(table, last);
  }
  return { rows, digest: (digest % WORD).toString(16).padStart(16, '0') };
}
