/** Rebuilds a file from what can be read of a damaged one: from both ends of each table, up to where it can't be read. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** Table, its key, and the columns. Those that are emptied at every start anyway are left out. */
const TABLES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['chunks', ['id'], ['id', 'month', 'rows', 'size', 'at', 'upload', 'batch', 'sum', 'seal']],
  ['bodies', ['chunk'], ['chunk', 'body']],
  ['batches', ['rowid'], ['id', 'month', 'rows', 'attempt']],
  ['seen', ['key'], ['key', 'at']],
  ['uploads', ['scope', 'hex'], ['scope', 'hex', 'at']],
  ['counters', ['name'], ['name', 'value']],
  [
    'quarantine',
    ['number'],
    ['number', 'id', 'organization', 'attribution', 'endpoint', 'reason', 'field', 'body', 'at'],
  ],
];

export function salvage(path: string, pageSize: number, schema: string, version: number): void {
  const target = `${path}-salvage`;
  rmSync(target, { force: true });
  const into = new DatabaseSync(target);
  into.exec(`PRAGMA page_size = ${pageSize}; PRAGMA foreign_keys = OFF; PRAGMA journal_mode = DELETE;`);
  into.exec(`BEGIN; ${schema}`);
  const from = openDamaged(path);
  if (from !== null) {
    for (const table of TABLES) copy(from, into, table);
    closeQuietly(from);
  }
  // A chunk without its bytes, or bytes without their chunk.
  into.exec(
    `DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM bodies); DELETE FROM bodies WHERE chunk NOT IN (SELECT id FROM chunks);
     PRAGMA user_version = ${version}; COMMIT;`,
  );
  into.close();
  const fd = openSync(target, 'r');
  fsyncSync(fd);
  closeSync(fd);
  // SQLite would lay the old log over the new file.
  for (const file of [`${path}-wal`, `${path}-sums`]) rmSync(file, { force: true });
  renameSync(target, path);
}

function openDamaged(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch {
    closeQuietly(database);
    return null;
  }
}

function copy(from: DatabaseSync, into: DatabaseSync, [table, key, columns]: (typeof TABLES)[number]): void {
  const insert = into.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ');
    try {
      // Without an index: a damaged one would hide rows of the table.
      const rows = from
        .prepare(`SELECT ${columns.join(', ')} FROM ${table} NOT INDEXED ORDER BY ${order}`)
        .iterate();
      for (const row of rows) {
        try {
          insert.run(...(Object.values(row) as SQLInputValue[]));
        } catch {
          // A value of another kind than its column's: what is counted as kept and not found is counted as lost.
        }
      }
      return;
    } catch {
      // Up to here; then from the other end.
    }
  }
}

function closeQuietly(database: DatabaseSync): void {
  try {
    database.close();
  } catch {
    // It is replaced.
  }
}
