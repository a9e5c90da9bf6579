/**
 * Tables of PostgreSQL as files, and back. All are read in one read-only transaction of one snapshot, so they fit together however long it takes.
 * A file has a line for the columns and their types, then one for each row: a JSON list of the values as PostgreSQL writes them as text.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Carried, carryForward } from '../carried.ts';
import type { Tables } from '../tables.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Those that share a lock hold it for one transaction. */
const LOCK_WAIT_MS = 75_000;
/** Rows that are read, and written, at once; of tables with bytes, whose rows may have a MiB, fewer. */
const ROWS = 250;
const ROWS_WITH_BYTES = 8;
/** Characters that are written at once. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const NAME = /^[a-z][a-z0-9_]*$/;

type Column = readonly [name: string, type: string];
type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Tables at one moment. */
export interface HeldTables {
  readonly query: Query;
  /** Writes those of the tables that exist. @returns their files, and rows by table */
  writeTo(
    directory: string,
    tables: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly string[]; readonly tables: ReadonlyMap<string, number> }>;
  /** Gives back the lock. */
  unlock(): Promise<void>;
  /** To be called in any case. */
  release(): Promise<void>;
}

export const fileOf = (table: string): string => `${table}.rows`;

/**
 * @param lock an advisory lock to take first, so that the tables are of a moment at which no other connection shares it
 * @throws connection errors
 */
export async function holdTables(url: string, lock: string | null = null): Promise<HeldTables> {
  const client = await connect(url);
  const query = queryOver(client);
  try {
    if (lock !== null) {
      await query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
      await query('SELECT pg_advisory_lock(hashtext($1))', [lock]);
    }
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await query("SET LOCAL bytea_output = 'hex'");
    // The snapshot is that of the first query.
    await query('SELECT 1');
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    query,
    async writeTo(directory, tables, signal) {
      const counts = new Map<string, number>();
      for (const table of tables) {
        const columns = await columnsOf(query, table);
        if (columns.length === 0) continue;
        const lines = linesOf(query, table, columns, (rows) => counts.set(table, rows), signal);
        const to = join(directory, fileOf(table));
        await pipeline(Readable.from(lines), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
      }
      return { files: [...counts.keys()].map(fileOf), tables: counts };
    },
    unlock: async () =>
      void (lock === null || (await query('SELECT pg_advisory_unlock(hashtext($1))', [lock]))),
    release: () => client.end().catch(() => undefined),
  };
}

async function* linesOf(
  query: Query,
  table: string,
  columns: readonly Column[],
  onEnd: (rows: number) => void,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `${JSON.stringify(columns)}\n`;
  const values = columns.map(([name]) => `"${name}"::text`).join(', ');
  await query(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS line FROM ${table}`,
  );
  const atOnce = columns.some(([, type]) => type === 'bytea') ? ROWS_WITH_BYTES : ROWS;
  let count = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = await query<{ line: string }>(`FETCH ${atOnce} FROM rows`);
    if (rows.length === 0) break;
    count += rows.length;
    for (const { line } of rows) yield `${line}\n`;
  }
  await query('CLOSE rows');
  onEnd(count);
}

/** What is written is seen by no other connection before `commit`. */
export interface LoadingTables {
  readonly query: Query;
  /** For migrations, which need it in this form. */
  readonly kysely: Kysely<Tables>;
  /** Empties the tables, which are made already, and fills them. @param tables parents first. @returns rows by table */
  fill(directory: string, tables: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Which of the tables are there. */
  existing(tables: readonly string[]): Promise<string[]>;
  /** Those of the tables that exist move into a schema of this name. @returns how many */
  moveAside(schema: string, tables: readonly string[]): Promise<number>;
  /**
   * Into the state tables, from those that moved into `schema`.
   * @throws what the database says of it; nothing of it is left then, and the transaction goes on
   */
  carryFrom(schema: string, at: number): Promise<Carried>;
  /** Connections of services to this database, this one left out. */
  users(): Promise<number>;
  commit(): Promise<void>;
  /** After a commit it only closes the connection. */
  release(): Promise<void>;
}

/** @throws connection errors */
export async function loadTables(url: string): Promise<LoadingTables> {
  const client = await connect(url);
  const query = queryOver(client);
  const session = { query: client.query.bind(client), release: () => undefined };
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect: async () => session as never, end: async () => undefined, options: {} },
    }),
  });
  await query('BEGIN');
  const existing = async (tables: readonly string[]): Promise<string[]> => {
    const rows = await query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY($1)',
      [tables],
    );
    return rows.map(({ name }) => name);
  };
  return {
    query,
    kysely,
    existing,
    async fill(directory, tables) {
      for (const table of tables.toReversed()) await query(`DELETE FROM ${checked(table)}`);
      const counts = new Map<string, number>();
      for (const table of tables)
        counts.set(table, await fillTable(query, table, join(directory, fileOf(table))));
      return counts;
    },
    async moveAside(schema, tables) {
      const standing = await existing(tables);
      if (standing.length > 0) await query(`CREATE SCHEMA IF NOT EXISTS ${checked(schema)}`);
      for (const name of standing) await query(`ALTER TABLE ${checked(name)} SET SCHEMA ${checked(schema)}`);
      return standing.length;
    },
    async carryFrom(schema, at) {
      await query('SAVEPOINT carried');
      try {
        const columns = async (of: string | null, table: string) =>
          (await columnsOf(query, of === null ? table : `${checked(of)}.${table}`)).map(([name]) => name);
        return await carryForward({ schema: checked(schema), run: query, columns }, at);
      } catch (error) {
        await query('ROLLBACK TO SAVEPOINT carried');
        throw error;
      }
    },
    async users() {
      const [row] = await query<{ n: string }>(
        `SELECT count(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'ghostlight%' AND application_name <> $1`,
        [APPLICATION],
      );
      return Number(row?.n ?? 0);
    },
    commit: async () => void (await query('COMMIT')),
    release: () => client.end().catch(() => undefined),
  };
}

async function fillTable(query: Query, table: string, file: string): Promise<number> {
  // Not by the end of the process: a file that is not there is an error of this call.
  await (await open(file, 'r')).close();
  const lines = createInterface({ input: createReadStream(file) });
  let columns: readonly Column[] | null = null;
  let rows: (readonly (string | null)[])[] = [];
  let characters = 0;
  let count = 0;
  const flush = async () => {
    if (rows.length > 0 && columns !== null) await insert(query, table, columns, rows);
    count += rows.length;
    rows = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (columns === null) {
      columns = JSON.parse(line) as Column[];
      continue;
    }
    rows.push(JSON.parse(line) as (string | null)[]);
    characters += line.length;
    if (rows.length >= ROWS || characters > MOST_CHARACTERS) await flush();
  }
  await flush();
  await setSequences(query, table);
  return count;
}

async function insert(
  query: Query,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const names = columns.map(([name]) => `"${checked(name)}"`);
  const values = columns.map(([, type], index) => `c${index}::${checkedType(type)}`);
  const lists = columns.map((_, index) => `$${index + 1}::text[]`);
  const aliases = columns.map((_, index) => `c${index}`);
  await query(
    `INSERT INTO ${checked(table)} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join(', ')} FROM unnest(${lists.join(', ')}) AS row (${aliases.join(', ')})`,
    columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  );
}

/** What counts up by itself goes on behind what is there. */
async function setSequences(query: Query, table: string): Promise<void> {
  const counting = await query<{ column: string; sequence: string }>(
    `SELECT attname AS column, pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND pg_get_serial_sequence($1, attname) IS NOT NULL`,
    [checked(table)],
  );
  for (const { column, sequence } of counting)
    await query(
      `SELECT setval($1, (SELECT coalesce(max("${checked(column)}"), 0) + 1 FROM ${checked(table)}), false)`,
      [sequence],
    );
}

/** @returns none: there is no such table */
async function columnsOf(query: Query, table: string): Promise<readonly Column[]> {
  const rows = await query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table.split('.').map(checked).join('.')],
  );
  return rows.map(({ name, type }): Column => [name, type]);
}

const APPLICATION = 'ghostlight backup';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    ...{ keepAlive: true, application_name: APPLICATION },
  });
  // A lost connection fails the query under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const queryOver =
  (client: pg.Client): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[];

/** Names come from our register, or from a file that was checked: what is not one of ours is no name here. */
function checked(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of ours`);
  return name;
}

function checkedType(type: string): string {
  if (!/^[a-z][a-z0-9 ()[\],]*$/.test(type)) throw new TypeError(`"${type}" is no type of ours`);
  return type;
}
