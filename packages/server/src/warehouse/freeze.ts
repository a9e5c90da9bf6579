/**
 * The embedded warehouse at one moment: FREEZE makes hard links to every part, in milliseconds whatever their size, and parts never change.
 * Putting them back is a new store with the same tables, to which the parts are attached.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Warehouse } from './warehouse.ts';

/** There is one backup at a time; what a crash has left of the last one goes by this name. The engine makes a folder of it, and would escape a hyphen. */
const NAME = 'ghostlight_backup';

export interface WarehouseTable {
  readonly name: string;
  /** The statement that makes it. */
  readonly create: string;
  readonly rows: number;
  readonly parts: readonly string[];
}

/** `name`: `<table>/<part>/<file>`. */
export interface PartFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

export interface FrozenWarehouse {
  /** Newest step of its schema. */
  readonly schema: number;
  readonly database: string;
  readonly tables: readonly WarehouseTable[];
  readonly files: readonly PartFile[];
}

interface StandingTable {
  readonly name: string;
  readonly create: string;
  readonly path: string;
}

/** Every table of ours, by name. */
export async function tablesIn(warehouse: Pick<Warehouse, 'rows'>): Promise<StandingTable[]> {
  return await warehouse.rows<StandingTable>('write', {
    sql: `SELECT name, create_table_query AS create, arrayElement(data_paths, 1) AS path FROM system.tables
WHERE database = currentDatabase() AND position(engine, 'MergeTree') > 0 ORDER BY name LIMIT 1000`,
  });
}

export async function databaseAndSchema(
  warehouse: Pick<Warehouse, 'rows'>,
): Promise<{ database: string; schema: number }> {
  const [row] = await warehouse.rows<{ database: string; schema: number }>('write', {
    sql: 'SELECT currentDatabase() AS database, toInt32(max(version)) AS schema FROM schema_migrations',
  });
  if (row === undefined) throw new Error('the warehouse does not say which schema it has');
  return row;
}

/** The directory of what is frozen; it keeps disk space until it is removed. @param directory of the embedded store */
const shadowOf = (directory: string): string => join(directory, 'shadow', NAME);

/** Holds every part of this moment. Inserts may go on; the caller sees to it that none should be missing. */
export async function freezeTables(
  warehouse: Pick<Warehouse, 'rows' | 'command'>,
  directory: string,
): Promise<{ describe(): Promise<FrozenWarehouse> }> {
  await thaw(directory);
  const found = await databaseAndSchema(warehouse);
  const standing = await tablesIn(warehouse);
  const counted = await rowsByTable(warehouse);
  for (const { name } of standing)
    await warehouse.command({ sql: `ALTER TABLE ${name} FREEZE WITH NAME '${NAME}'` });
  return {
    async describe() {
      const files: PartFile[] = [];
      const tables: WarehouseTable[] = [];
      for (const { name, create, path } of standing) {
        const frozen = join(shadowOf(directory), relative(directory, path));
        // An empty table has no folder there.
        const isEmpty = (counted.get(name) ?? 0) === 0 && !existsSync(frozen);
        const parts = isEmpty ? [] : (await readdir(frozen)).sort();
        let rows = 0;
        for (const part of parts) {
          rows += Number(await readFile(join(frozen, part, 'count.txt'), 'utf8'));
          files.push(...(await filesBelow(join(frozen, part), `${name}/${part}`)));
        }
        tables.push({ name, create, rows, parts });
      }
      return { ...found, tables, files };
    },
  };
}

/** Removes what is frozen. */
export async function thaw(directory: string): Promise<void> {
  await rm(shadowOf(directory), { recursive: true, force: true });
}

/**
 * Fills an empty store.
 * @param from has a folder for each table, with one for each part; they are moved away
 * @returns rows by table, as the engine counts them
 */
export async function attachTables(
  warehouse: Pick<Warehouse, 'rows' | 'command'>,
  tables: readonly WarehouseTable[],
  from: string,
  onPart: () => void,
): Promise<ReadonlyMap<string, number>> {
  for (const { name, create } of tables) {
    await warehouse.command({ sql: create });
    // Until this engine closes, or rows that are past their time, and older versions of rows, would be missing from what is counted.
    await warehouse.command({ sql: `SYSTEM STOP MERGES ${name}` });
  }
  const paths = new Map((await tablesIn(warehouse)).map(({ name, path }) => [name, path]));
  for (const { name, parts } of tables)
    for (const part of parts) {
      if (!/^[\w-]+$/.test(part)) throw new TypeError('no name of a part');
      await rename(join(from, name, part), join(paths.get(name) ?? '', 'detached', part));
      await warehouse.command({ sql: `ALTER TABLE ${name} ATTACH PART '${part}'` });
      onPart();
    }
  return await rowsByTable(warehouse);
}

/** As many as the active parts hold. */
export async function rowsByTable(warehouse: Pick<Warehouse, 'rows'>): Promise<ReadonlyMap<string, number>> {
  const rows = await warehouse.rows<{ table: string; n: string }>('write', {
    sql: `SELECT table, toString(sum(rows)) AS n FROM system.parts WHERE database = currentDatabase() AND active
GROUP BY table LIMIT 1000`,
  });
  return new Map(rows.map(({ table, n }) => [table, Number(n)]));
}

async function filesBelow(path: string, name: string): Promise<PartFile[]> {
  const files: PartFile[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = { path: join(path, entry.name), name: `${name}/${entry.name}` };
    if (entry.isDirectory()) files.push(...(await filesBelow(below.path, below.name)));
    else files.push({ ...below, size: (await stat(below.path)).size });
  }
  return files;
}
