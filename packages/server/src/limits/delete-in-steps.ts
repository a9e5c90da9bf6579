/** Deleting many rows of the state database without holding it up. */
import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database, TableName } from '../database/index.ts';

/** Rows per statement: a longer one would keep requests waiting on SQLite. */
const STEP = 1_000;

/** Deletes the rows of a condition, a bounded step at a time, until none is left. May be cut off by the signal, and begun again. */
export async function deleteInSteps(
  { kysely, adapter }: Pick<Database, 'kysely' | 'adapter'>,
  table: TableName,
  where: RawBuilder<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const row = adapter.rowAddress;
  while (signal?.aborted !== true) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (
select ${row} from ${sql.table(table)} where ${where} limit ${sql.lit(STEP)})`.execute(kysely);
    if (Number(numAffectedRows ?? 0) < STEP) return;
    await turn();
  }
}
