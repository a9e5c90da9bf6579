/** The state database and the spools in PostgreSQL, from a backup: in one transaction that nothing sees before all of the backup is checked. */
import { join } from 'node:path';
import {
  type Carried,
  type LoadingTables,
  loadPostgres,
  makeStateTables,
  STATE_TABLES,
  STATE_TABLES_OF_MIGRATIONS,
} from '../database/index.ts';
import { makeSpoolTables, SPOOL_TABLES, SPOOL_TABLES_WITHOUT_ROWS } from '../spool/index.ts';
import type { BackupProgress } from './create.ts';
import { FOLDERS } from './hold.ts';
import { BackupError, type Manifest, type TableFigures } from './manifest.ts';

export interface LoadedTables {
  /** Schemas of what was there; null: nothing was. */
  readonly movedTo: string | null;
  /** What was made since the backup and is kept; null: there was no state database. An error: it could not be compared. */
  readonly carried: Carried | Error | null;
  commit(): Promise<void>;
  release(): Promise<void>;
}

interface Urls {
  readonly state: string | null;
  readonly spool: string | null;
}

const NAMES = {
  state: [...STATE_TABLES, ...STATE_TABLES_OF_MIGRATIONS],
  spool: [...SPOOL_TABLES, ...SPOOL_TABLES_WITHOUT_ROWS],
};
const SETTINGS = { state: 'DATABASE_URL', spool: 'SPOOL_DATABASE_URL' } as const;
const STORES = ['spool', 'state'] as const;

/** @throws BackupError when services use the database, or it holds tables of ours and nothing says to replace them */
export async function checkTables(urls: Urls, replace: boolean): Promise<void> {
  for (const store of STORES) {
    const url = urls[store];
    if (url === null) continue;
    const loading = await opened(url, store);
    try {
      const users = await loading.users();
      if (users > 0)
        throw new BackupError(
          `Services are connected to ${SETTINGS[store]} (${users} connections). Stop every node, then run this again.`,
        );
      if (!replace && (await loading.existing(NAMES[store])).length > 0)
        throw new BackupError(
          `The database in ${SETTINGS[store]} holds tables of Ghostlight already. Give --replace to move them into a schema of their own (nothing is deleted), or name an empty database.`,
        );
    } finally {
      await loading.release();
    }
  }
}

/**
 * @param aside names the schema of what is there
 * @param at the moment of the restore
 */
export async function loadStaged(
  manifest: Manifest,
  staging: string,
  urls: Urls,
  { aside, at }: { readonly aside: string; readonly at: number },
  onProgress: (progress: BackupProgress) => void,
): Promise<LoadedTables> {
  const open = new Map<string, LoadingTables>();
  const release = async () => {
    for (const loading of open.values()) await loading.release();
  };
  const schema = aside.replaceAll('-', '_');
  let moved = 0;
  let carried: Carried | Error | null = null;
  try {
    for (const store of STORES) {
      const url = urls[store];
      if (url === null) continue;
      const loading = open.get(url) ?? (await opened(url, store));
      open.set(url, loading);
      onProgress({ step: `loading the tables of ${SETTINGS[store]}` });
      const standing = await loading.moveAside(schema, NAMES[store]);
      moved += standing;
      if (store === 'spool') await makeSpoolTables(loading.query, manifest.spools.format);
      else await makeStateTables(loading, manifest.state.migration);
      const stated = store === 'spool' ? manifest.spools.tables : manifest.state.tables;
      await fill(loading, join(staging, FOLDERS[store]), stated);
      if (store === 'state' && standing > 0)
        carried = await loading.carryFrom(schema, at).catch((error: Error) => error);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    movedTo: moved === 0 ? null : `the schema ${schema} of PostgreSQL`,
    carried,
    async commit() {
      for (const loading of open.values()) await loading.commit();
    },
    release,
  };
}

async function fill(
  loading: LoadingTables,
  directory: string,
  stated: readonly TableFigures[],
): Promise<void> {
  const counted = await loading.fill(
    directory,
    stated.map(({ name }) => name),
  );
  const wrong = stated.find(({ name, rows }) => counted.get(name) !== rows);
  if (wrong !== undefined)
    throw new BackupError(
      `The table ${wrong.name} has ${counted.get(wrong.name)} rows in the backup, and its manifest says ${wrong.rows}. Use another backup; nothing was changed.`,
    );
}

async function opened(url: string, store: (typeof STORES)[number]): Promise<LoadingTables> {
  return await loadPostgres(url).catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    // Never the address, which may hold a password.
    throw new BackupError(
      `${SETTINGS[store]}: the database does not answer (${String(code)}). Check the address, the name and the password.`,
      { cause: error },
    );
  });
}
