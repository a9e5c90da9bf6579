/** Rows for every table of a state database, with the values that copying could change. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const TEXTS = [
  '',
  'plain',
  'it\'s "quoted" \\ back',
  'line\nfeed\ttab',
  '👩‍👩‍👧 💥 é e\u0301',
  '\u202eab\u200b',
  '{"json":[1,null]}',
  'x'.repeat(3_000),
];
const INTEGERS = [
  0n,
  -1n,
  1_700_000_000_123n,
  9_007_199_254_740_993n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];
const FLOATS = [0.1, -0, 1e-300, 1.7976931348623157e308, 123_456_789.123_456_79, 3];
/** The hour that clocks repeat, and the one that they leave out. */
const MOMENTS = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.001Z', '2026-03-29T01:00:00.999Z'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** @param file of a migrated SQLite database that is not open @returns how many rows there are now */
export function fillWithOddRows(
  file: string,
  tables: readonly string[],
  rowsOfEach: number,
  random: () => number,
): number {
  const database = new DatabaseSync(file);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let rows = 0;
  for (const table of tables) {
    const columns = database
      .prepare(`select name, lower(type) as type, "notnull", pk from pragma_table_info(?)`)
      .all(table) as unknown as Column[];
    const parents = new Map(
      (
        database
          .prepare('select "from" as child, "table" as parent, "to" as key from pragma_foreign_key_list(?)')
          .all(table) as unknown as {
          child: string;
          parent: string;
          key: string;
        }[]
      ).map(({ child, parent, key }) => [child, { parent, key }]),
    );
    for (let row = 0; row < rowsOfEach; row += 1) {
      const values = columns.map(({ name, type, notnull, pk }) => {
        const parent = parents.get(name);
        if (parent !== undefined) {
          const ids = database
            .prepare(`select "${parent.key}" as id from "${parent.parent}" order by 1 limit 50`)
            .all() as { id: string }[];
          return pick(ids).id;
        }
        if (notnull === 0 && pk === 0 && random() < 0.3) return null;
        if (type === 'text')
          return pk > 0 || random() < 0.2 ? `${pick(TEXTS).slice(0, 40)}${randomUUID()}` : pick(TEXTS);
        if (type === 'boolean') return pick([0, 1]);
        if (type === 'timestamptz') return pick(MOMENTS);
        if (type === 'double precision') return pick(FLOATS);
        // The type of PostgreSQL has four bytes.
        return type === 'integer' ? BigInt(row) : pick(INTEGERS);
      });
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const places = columns.map(() => '?').join(', ');
      rows += Number(
        database.prepare(`insert or ignore into "${table}" (${names}) values (${places})`).run(...values)
          .changes,
      );
    }
  }
  database.close();
  return rows;
}
