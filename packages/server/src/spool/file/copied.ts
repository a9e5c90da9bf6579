/** A copy of the spool's file that no owner has open. */
import { DatabaseSync } from 'node:sqlite';

/**
 * Writes its log back into it.
 * @returns rows that no store has confirmed, and what the counter says of those that one has
 */
export function figuresOfCopy(file: string): { readonly waiting: number; readonly stored: number } {
  const database = new DatabaseSync(file);
  try {
    const value = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
    return {
      waiting: value('SELECT coalesce(sum(rows), 0) FROM chunks WHERE upload IS NULL'),
      stored: value("SELECT coalesce(max(value), 0) FROM counters WHERE name = 'stored'"),
    };
  } finally {
    database.close();
  }
}
