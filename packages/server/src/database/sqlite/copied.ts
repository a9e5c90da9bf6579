/** A copy of the SQLite file that no service has open. */
import { DatabaseSync } from 'node:sqlite';

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
