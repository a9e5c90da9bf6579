/** The warehouse of a backup: parts for a new embedded store, or the copy that a ClickHouse server has made of itself. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../common/index.ts';
import {
  attachTables,
  openWarehouse,
  restoreServer,
  standingTables,
  type Warehouse,
} from '../warehouse/index.ts';
import type { BackupProgress } from './create.ts';
import { FOLDERS } from './hold.ts';
import { BackupError, type Manifest } from './manifest.ts';
import type { RestoreTarget } from './target.ts';

/** An engine of its own takes the parts, and says how many rows it has. @throws BackupError when they are others than in the manifest */
export async function attachStaged(
  { warehouse: { kind, tables } }: Manifest,
  staging: string,
  log: Log,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  if (kind !== 'embedded') return;
  const from = join(staging, 'parts');
  if (existsSync(join(staging, FOLDERS.warehouse))) await rename(join(staging, FOLDERS.warehouse), from);
  const of = tables.reduce((sum, { parts }) => sum + parts.length, 0);
  let done = 0;
  const engine = await openWarehouse({
    ...{ url: null, dataDir: staging, retentionDays: 1, log, clock: Date.now },
  });
  try {
    const step = 'building the warehouse';
    const counted = await attachTables(engine, tables, from, () => onProgress({ step, bytes: ++done, of }));
    const wrong = tables.find(({ name, rows }) => (counted.get(name) ?? 0) !== rows);
    if (wrong !== undefined) throw otherRows(wrong.name, counted.get(wrong.name) ?? 0, wrong.rows);
  } finally {
    await engine.close();
  }
  await rm(from, { recursive: true, force: true });
}

/** @throws BackupError when the server does not answer, or holds tables of ours and nothing says to replace them */
export async function checkServer(
  { warehouse: { tables } }: Manifest,
  target: RestoreTarget,
  replace: boolean,
  log: Log,
): Promise<void> {
  await onServer(target, log, async (warehouse) => {
    const standing = await standingTables(
      warehouse,
      tables.map(({ name }) => name),
    ).catch((error: unknown) => {
      throw new BackupError('CLICKHOUSE_URL: the server does not answer, or refuses the question.', {
        cause: error,
      });
    });
    if (standing.length > 0 && !replace)
      throw new BackupError(
        `The database in CLICKHOUSE_URL holds tables of Ghostlight already (${standing.join(', ')}). Give --replace to rename them (nothing is deleted), or name an empty database.`,
      );
  });
}

/** @returns how tables that were there are called now; null: none was @throws BackupError when rows are missing; the old tables are back then */
export async function restoreOnServer(
  { warehouse: { tables, database, stored_at } }: Manifest,
  target: RestoreTarget,
  aside: string,
  log: Log,
  onProgress: (progress: BackupProgress) => void,
): Promise<string | null> {
  if (stored_at === null) return null;
  const prefix = aside.replaceAll('-', '_');
  let standing: string[] = [];
  await onServer(target, log, async (warehouse) => {
    onProgress({ step: 'restoring the warehouse on its server' });
    const names = tables.map(({ name }) => name);
    standing = await standingTables(warehouse, names);
    const restored = { database, storedAt: stored_at, tables: names };
    await restoreServer(warehouse, restored, prefix, (counted) => {
      // There may be more than were counted before the server began: other nodes may have shipped meanwhile.
      const wrong = tables.find(({ name, rows }) => (counted.get(name) ?? 0) < rows);
      if (wrong !== undefined) throw otherRows(wrong.name, counted.get(wrong.name) ?? 0, wrong.rows);
    });
  });
  return standing.length === 0 ? null : `tables ${prefix}_… of ClickHouse`;
}

async function onServer(
  { urls, cluster }: RestoreTarget,
  log: Log,
  work: (warehouse: Warehouse) => Promise<void>,
): Promise<void> {
  if (urls.warehouse === null) return;
  const warehouse = await openWarehouse({
    ...{ url: urls.warehouse, cluster, dataDir: '', retentionDays: 1, log, clock: Date.now },
  });
  try {
    await work(warehouse);
  } finally {
    await warehouse.close();
  }
}

const otherRows = (name: string, has: number, had: number) =>
  new BackupError(
    `The table ${name} of the warehouse has ${has} rows after it was restored, and had ${had}. Use another backup.`,
  );
