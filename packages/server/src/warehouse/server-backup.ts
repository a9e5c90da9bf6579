/** BACKUP and RESTORE of a ClickHouse server: it writes its own copy, to a disk of its configuration or to an object store, and reads it back. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseAndSchema, tablesIn } from './freeze.ts';
import type { Warehouse } from './warehouse.ts';

type Asks = Pick<Warehouse, 'rows' | 'command'>;

const POLL_MS = { first: 100, longest: 5_000 };
/** Behind a balancer another replica may answer, which knows nothing of it. */
const MOST_UNKNOWN = 200;
const NAME_IN = '{name}';
/** `Disk('backups', '{name}')`, `S3(collection, '{name}')`: words and quoted texts. */
const PLACE = /^(File|Disk|S3|AzureBlobStorage)\(((?:\w+|'[^'\\]*')(?:\s*,\s*(?:\w+|'[^'\\]*'))*)\)$/;

/** @returns a sentence about what is wrong with a destination; null: nothing */
export function placeFault(place: string): string | null {
  const [, engine = '', words = ''] = PLACE.exec(place) ?? [];
  if (engine === '' || !place.includes(NAME_IN))
    return `must be a destination of ClickHouse with ${NAME_IN} in its path, such as Disk('backups', '${NAME_IN}') or S3(collection, '${NAME_IN}').`;
  if (engine === 'S3' && words.split(',').length > 2)
    return "must not hold keys: put them into a named collection of the server, and write S3(collection, '{name}').";
  return null;
}

export interface ServerTable {
  readonly name: string;
  readonly create: string;
  readonly rows: number;
}

export interface ServerBackup {
  readonly schema: number;
  readonly database: string;
  readonly tables: readonly ServerTable[];
  /** As a statement names it. */
  readonly storedAt: string;
}

/**
 * @param place see `placeFault` @param name replaces `{name}`
 * @param onWait called while it runs; what it throws ends it
 */
export async function backUpServer(
  warehouse: Asks,
  place: string,
  name: string,
  onWait: () => void,
): Promise<ServerBackup> {
  const storedAt = place.replaceAll(NAME_IN, name);
  const found = await databaseAndSchema(warehouse);
  const standing = await tablesIn(warehouse);
  const counted = await countsOf(
    warehouse,
    standing.map((table) => table.name),
  );
  const tables = standing.map((table) => ({
    ...{ name: table.name, create: table.create, rows: counted.get(table.name) ?? 0 },
  }));
  const what = standing.map((table) => `TABLE ${table.name}`).join(', ');
  await runs(warehouse, `BACKUP ${what} TO ${storedAt}`, 'BACKUP_CREATED', onWait);
  return { ...found, tables, storedAt };
}

/**
 * Makes the tables again, as they were. Those that have their names move aside; when it fails they come back.
 * @param aside begins the names of what is there now
 * @param check of the rows by table, while the tables can still come back; what it throws is thrown
 */
export async function restoreServer(
  warehouse: Asks,
  {
    database,
    tables,
    storedAt,
  }: Pick<ServerBackup, 'database' | 'storedAt'> & { readonly tables: readonly string[] },
  aside: string,
  check: (rows: ReadonlyMap<string, number>) => void,
): Promise<void> {
  const standing = new Set((await tablesIn(warehouse)).map(({ name }) => name));
  const replaced = tables.filter((name) => standing.has(name));
  for (const name of replaced) await warehouse.command({ sql: `RENAME TABLE ${name} TO ${aside}_${name}` });
  try {
    const what = tables.map((name) => `TABLE ${database}.${name} AS ${name}`).join(', ');
    await runs(warehouse, `RESTORE ${what} FROM ${storedAt}`, 'RESTORED', () => undefined);
    check(await countsOf(warehouse, tables));
  } catch (error) {
    const made = new Set((await tablesIn(warehouse)).map(({ name }) => name));
    for (const name of tables)
      if (made.has(name)) await warehouse.command({ sql: `RENAME TABLE ${name} TO failed_${aside}_${name}` });
    for (const name of replaced) await warehouse.command({ sql: `RENAME TABLE ${aside}_${name} TO ${name}` });
    throw error;
  }
}

/** Which of the tables are there. */
export async function standingTables(warehouse: Asks, tables: readonly string[]): Promise<string[]> {
  const standing = new Set((await tablesIn(warehouse)).map(({ name }) => name));
  return tables.filter((name) => standing.has(name));
}

async function countsOf(warehouse: Asks, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const name of tables) {
    const [row] = await warehouse.rows<{ n: string }>('report', {
      sql: `SELECT toString(count()) AS n FROM ${name}`,
    });
    counts.set(name, Number(row?.n ?? 0));
  }
  return counts;
}

/** Starts it in the background of the server, which may take hours, and waits. @throws Error with the server's own words */
async function runs(warehouse: Asks, statement: string, end: string, onWait: () => void): Promise<void> {
  const id = randomUUID();
  await warehouse.command({ sql: `${statement} SETTINGS id = '${id}' ASYNC` });
  let unknown = 0;
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * 1.5, POLL_MS.longest)) {
    const [row] = await warehouse.rows<{ status: string; error: string }>('write', {
      sql: 'SELECT toString(status) AS status, error FROM system.backups WHERE id = {id:String}',
      params: { id },
    });
    if (row?.status === end) return;
    if (row !== undefined && !/^(CREATING_BACKUP|RESTORING)$/.test(row.status))
      throw new Error(
        `${statement.split(' ')[0]} on the server ended as ${row.status}: ${row.error.slice(0, 500)}`,
      );
    unknown = row === undefined ? unknown + 1 : 0;
    if (unknown > MOST_UNKNOWN)
      throw new Error('The server does not know of its backup any more (system.backups).');
    try {
      onWait();
    } catch (error) {
      await warehouse
        .command({ sql: `KILL QUERY WHERE position(query, '${id}') > 0 ASYNC` })
        .catch(() => undefined);
      throw error;
    }
    await sleep(pause);
  }
}
