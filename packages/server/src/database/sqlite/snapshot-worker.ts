/** The thread of `snapshot.ts`: what it reads is of the moment in which it began, however long it copies. */
import { backup, DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export interface SnapshotRequest {
  /** Path of a file that is not there yet. */
  readonly to: string;
}

export interface SnapshotAnswer {
  readonly migration: string;
  /** Rows by table; empty in the first answer. */
  readonly tables: readonly (readonly [string, number])[];
}

/** Pages of one step of the copy. */
const PAGES = 2_000;

const { file } = workerData as { readonly file: string };
const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
database.exec('BEGIN');
const { name: migration } = database
  .prepare('SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1')
  .get() as { name: string };
parentPort?.postMessage({ migration, tables: [] } satisfies SnapshotAnswer);

parentPort?.on('message', ({ to }: SnapshotRequest) => {
  void copy(to);
});

async function copy(to: string): Promise<void> {
  await backup(database, to, { rate: PAGES });
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .all() as { name: string }[];
  const tables = names.map(({ name }): [string, number] => {
    const { n } = database.prepare(`SELECT count(*) AS n FROM "${name}"`).get() as { n: number };
    return [name, n];
  });
  parentPort?.postMessage({ migration, tables } satisfies SnapshotAnswer);
}
