/** Writing rows that may stand already, from any number of nodes at once. */
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Tables } from '../database/index.ts';

/** The database, or a transaction of it. */
export type Db = Kysely<Tables>;

/** One row per key, in the order of the keys: two nodes that write the same rows never wait for each other in a circle. */
export function merged<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  merge: (a: Row, b: Row) => Row,
): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const before = byKey.get(keyOf(row));
    byKey.set(keyOf(row), before === undefined ? row : merge(before, row));
  }
  return inOrder([...byKey.values()], keyOf);
}

export function inOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ row }) => row);
}

/** SQLite and PostgreSQL name these functions differently; a case is the same in both. */
export const smaller = (a: string, b: string) =>
  ifElse<number>(sql<SqlBool>`${sql.ref(b)} < ${sql.ref(a)}`, b, a);
export const larger = (a: string, b: string) =>
  ifElse<number>(sql<SqlBool>`${sql.ref(b)} > ${sql.ref(a)}`, b, a);
export const ifElse = <T>(condition: Expression<SqlBool>, then: string, otherwise: string) =>
  sql<T>`case when ${condition} then ${sql.ref(then)} else ${sql.ref(otherwise)} end`;
