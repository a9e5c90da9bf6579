/** A copy of the spool's file that no owner has open. */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Writes its log back into it.
 * @param readOnly leaves it as it is
 * @returns rows that no store has confirmed, and what the counter says of those that one has
 */
export function figuresOfCopy(
  file: string,
  { readOnly = false } = {},
): { readonly waiting: number; readonly stored: number } {
  const made = ['-shm', '-wal'].map((end) => `${file}${end}`).filter((path) => !existsSync(path));
  const database = new DatabaseSync(file, { readOnly });
  try {
    const value = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
    return {
      waiting: value('SELECT coalesce(sum(rows), 0) FROM chunks WHERE upload IS NULL'),
      stored: value("SELECT coalesce(max(value), 0) FROM counters WHERE name = 'stored'"),
    };
  } finally {
    database.close();
    // A connection that can't write leaves them behind.
    if (readOnly) for (const path of made) rmSync(path, { force: true });
  }
}
