/** What a spool in PostgreSQL still holds after SPOOL was set back to the nodes’ disks. */
import { Connection } from './connection.ts';
import { tablesOf } from './schema.ts';

const ANSWER_MS = 60_000;
const SPOOLS = ['hits', 'events', 'event-rows'];

/**
 * Acknowledged rows that no node ships any more; those that another node keeps alive are its own.
 * @param node this one's name: its life before may have been killed a moment ago, and then counts as alive still
 * @returns 0 as well when there are no tables, or this role may not read them
 * @throws ConnectionLost
 */
export async function rowsLeftBehind(url: string, node: string): Promise<number> {
  const connection = new Connection({ url, answerMs: ANSWER_MS });
  let left = 0;
  try {
    for (const t of SPOOLS.map(tablesOf))
      left += await connection.use(async (client) => {
        const { rows: readable } = await client.query<{ both: boolean | null }>(
          `SELECT has_table_privilege(to_regclass($1)::oid, 'SELECT') AND has_table_privilege(to_regclass($2)::oid, 'SELECT') AS both`,
          [t.chunks, t.sessions],
        );
        if (readable[0]?.both !== true) return 0;
        const { rows } = await client.query<{ left: string }>(
          `SELECT coalesce(sum(rows), 0) AS left FROM ${t.chunks} WHERE session IS NULL AND NOT damaged AND NOT EXISTS (
             SELECT 1 FROM ${t.sessions} WHERE node <> '' AND split_part(node, ' ', 1) <> $1 AND alive_until > now())`,
          [node],
        );
        return Number(rows[0]?.left ?? 0);
      });
  } finally {
    await connection.close();
  }
  return left;
}
