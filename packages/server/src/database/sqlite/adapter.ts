/** SQLite: the embedded database. One process has the file, and one connection writes, so that most locks are there already. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { startSentence } from '../../common/index.ts';
import type { DatabaseAdapter } from '../adapter.ts';
import { createGroupCommit } from './group-commit.ts';
import { FILE_NAME, openSqlite } from './open.ts';
import { isAway, refusesRows } from './result-codes.ts';

export const sqlite: DatabaseAdapter = {
  name: 'sqlite',
  isShared: false,
  open: openSqlite,
  startSentence: (error, { dataDir }) => startSentence(error, join(dataDir, FILE_NAME)),
  forUpdate: (query) => query,
  forNoKeyUpdate: (query) => query,
  skipLocked: sql``,
  lockName: async () => undefined,
  rowAddress: sql.ref('rowid'),
  jsonItems: (list) => sql`json_each(${JSON.stringify(list)}) as v`,
  now: sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`,
  async primaryKey(queries, table) {
    const { rows } = await sql<{
      name: string;
    }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(queries);
    return rows.map(({ name }) => name);
  },
  // It stays when a row is updated, and every index has it in its order: a page of one organization reads no other rows.
  pageKey: async () => ['rowid'],
  createGroupCommit,
  isAway,
  refusesRows,
};
