/** A copy of the SQLite file that no service has open. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Carried, carryForward } from '../carried.ts';

/** @returns rows by table. @throws what SQLite says of a file that is none of its own */
export function rowsOfCopy(file: string, tables: readonly string[]): ReadonlyMap<string, number> {
  const database = new DatabaseSync(file);
  try {
    return new Map(
      tables.map((name) => {
        const counting = database.prepare(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`);
        return [name, (counting.get() as { n: number }).n];
      }),
    );
  } finally {
    database.close();
  }
}

/**
 * @param file of the restored database
 * @param old of the one that was there; it is only read
 * @throws what SQLite says of either; `file` is unchanged then
 */
export async function carryInCopy(file: string, old: string, at: number): Promise<Carried> {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
    database.prepare('ATTACH DATABASE ? AS was').run(`${pathToFileURL(old).href}?mode=ro`);
    database.exec('BEGIN IMMEDIATE');
    const columns = database.prepare('SELECT name FROM pragma_table_info(?, ?)');
    const carried = await carryForward(
      {
        schema: 'was',
        run: async (statement) => database.prepare(statement).all(),
        columns: async (schema, table) =>
          columns.all(table, schema ?? 'main').map(({ name }) => String(name)),
      },
      at,
    );
    database.exec('COMMIT');
    return carried;
  } finally {
    // What was not committed is undone.
    database.close();
  }
}
