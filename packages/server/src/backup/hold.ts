/** The stores as they are at the cut, each in its own way, until they are copied. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Database,
  type HeldTables,
  holdPostgres,
  newestMigration,
  STATE_TABLES,
} from '../database/index.ts';
import {
  figuresInPostgres,
  figuresOfCopy,
  SPOOL_TABLES,
  type Spool,
  type SpoolSnapshot,
  TAKING_LOCK,
} from '../spool/index.ts';
import { backUpServer, freezeTables, thaw, type Warehouse } from '../warehouse/index.ts';
import type { ArchiveFile } from './archive-worker.ts';
import { figuresOf } from './figures.ts';
import { BackupError, type Manifest, type SpoolFigures, type TableFigures } from './manifest.ts';

export const FOLDERS = { state: 'state', spool: 'spool', warehouse: 'warehouse' } as const;
export interface HeldStore<Described> {
  /** Writes it into a folder below the directory, or says where its files are; the store is let go then. */
  copyTo(
    directory: string,
    signal: AbortSignal,
  ): Promise<Described & { readonly files: readonly ArchiveFile[] }>;
  /** To be called in any case. */
  release(): Promise<void>;
}

type Spools = Pick<Manifest['spools'], 'figures' | 'tables'>;

/** @param url of the server that has the spools; null: they are files */
export async function holdSpools(
  spools: Readonly<Record<string, Spool>>,
  url: string | null,
): Promise<HeldStore<Spools> & { readonly tables: HeldTables | null; resume(): Promise<void> }> {
  if (url !== null) {
    const held = await holdPostgres(url, TAKING_LOCK);
    return {
      tables: held,
      resume: held.unlock,
      release: held.release,
      async copyTo(directory, signal) {
        const figures: Record<string, SpoolFigures> = {};
        for (const [name, { waiting, counters }] of await figuresInPostgres(held.query))
          figures[name] = figuresOf(waiting, counters);
        const copied = await copyTables(held, directory, FOLDERS.spool, SPOOL_TABLES, signal);
        return { ...copied, figures };
      },
    };
  }
  const held: [string, SpoolSnapshot][] = [];
  const release = async () => {
    for (const [, snapshot] of held) await snapshot.release();
  };
  try {
    for (const [name, spool] of Object.entries(spools)) {
      const snapshot = await spool.snapshot();
      if (snapshot !== null) held.push([name, snapshot]);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    tables: null,
    resume: async () => undefined,
    release,
    async copyTo(directory, signal) {
      const figures: Record<string, SpoolFigures> = {};
      const names: string[] = [];
      await mkdir(join(directory, FOLDERS.spool), { mode: 0o700 });
      for (const [name, snapshot] of held) {
        const copied = await snapshot.copyTo(join(directory, FOLDERS.spool), signal);
        const wanted = figuresOf(snapshot.waiting, snapshot.counters);
        checkCopy(name, wanted, join(directory, FOLDERS.spool, `${name}.spool`));
        names.push(...copied);
        figures[name] = wanted;
      }
      return { figures, tables: [], files: await filesOf(directory, FOLDERS.spool, names) };
    },
  };
}

/** As a restore will. @throws BackupError */
function checkCopy(name: string, { waiting, stored }: SpoolFigures, path: string): void {
  const refused = (what: string, cause?: unknown) =>
    new BackupError(
      `The copy of the spool "${name}" ${what}; there is no file. Make the backup again. If it happens twice, please report it.`,
      { cause },
    );
  let copied: ReturnType<typeof figuresOfCopy>;
  try {
    copied = figuresOfCopy(path, { readOnly: true });
  } catch (error) {
    throw refused(`can’t be opened (${error instanceof Error ? error.message : String(error)})`, error);
  }
  if (copied.waiting !== waiting || copied.stored !== stored)
    throw refused('holds other rows than the spool held');
}

type State = Pick<Manifest['state'], 'migration' | 'tables'>;

/** @param same what holds the spools, when it is the same server: then one snapshot shows both */
export async function holdState(
  database: Database,
  url: string | null,
  same: HeldTables | null,
): Promise<HeldStore<State>> {
  if (url !== null) {
    const held = same ?? (await holdPostgres(url));
    return {
      release: held.release,
      copyTo: async (directory, signal) => ({
        migration: await newestMigration(held),
        ...(await copyTables(held, directory, FOLDERS.state, STATE_TABLES, signal)),
      }),
    };
  }
  const snapshot = await database.snapshot();
  if (snapshot === null) throw new Error('The state database is on a server that is not known.');
  return {
    release: snapshot.release,
    async copyTo(directory, signal) {
      await mkdir(join(directory, FOLDERS.state), { mode: 0o700 });
      const { files, tables } = await snapshot.writeTo(join(directory, FOLDERS.state), signal);
      await snapshot.release();
      return {
        migration: snapshot.migration,
        tables: [...tables].map(([name, rows]) => ({ name, rows })),
        files: await filesOf(directory, FOLDERS.state, files),
      };
    },
  };
}

type Held = Omit<Manifest['warehouse'], 'kind'>;

export interface WarehousePlace {
  /** Of the embedded store; null: it is on a server. */
  readonly directory: string | null;
  /** Where a server puts its own backup, with `{name}`. */
  readonly storeTo: string | null;
  /** Of this backup. */
  readonly name: string;
  /** Called while a server writes; what it throws ends that. */
  readonly onWait: () => void;
}

export async function holdWarehouse(
  warehouse: Warehouse,
  { directory, storeTo, name, onWait }: WarehousePlace,
): Promise<HeldStore<Held>> {
  if (directory === null) {
    if (storeTo === null)
      throw new BackupError(
        "The warehouse is on a ClickHouse server, which writes its own copy: say where, with --warehouse-to or BACKUP_WAREHOUSE_TO, such as Disk('backups', '{name}').",
      );
    const { storedAt, ...made } = await backUpServer(warehouse, storeTo, name, onWait);
    const tables = made.tables.map((table) => ({ ...table, parts: [] }));
    return {
      release: async () => undefined,
      copyTo: async () => ({ ...made, tables, stored_at: storedAt, files: [] }),
    };
  }
  const frozen = await freezeTables(warehouse, directory).catch(async (error: unknown) => {
    await thaw(directory);
    throw error;
  });
  return {
    release: () => thaw(directory),
    async copyTo() {
      const { files, ...described } = await frozen.describe();
      return {
        ...{ ...described, stored_at: null },
        files: files.map((file) => ({ ...file, name: `${FOLDERS.warehouse}/${file.name}` })),
      };
    },
  };
}

async function copyTables(
  held: HeldTables,
  directory: string,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<{ tables: TableFigures[]; files: ArchiveFile[] }> {
  await mkdir(join(directory, folder), { mode: 0o700 });
  const { files, tables } = await held.writeTo(join(directory, folder), names, signal);
  return {
    tables: [...tables].map(([name, rows]) => ({ name, rows })),
    files: await filesOf(directory, folder, files),
  };
}

async function filesOf(directory: string, folder: string, names: readonly string[]): Promise<ArchiveFile[]> {
  return await Promise.all(
    names.map(async (name) => {
      const path = join(directory, folder, name);
      return { name: `${folder}/${name}`, path, size: (await stat(path)).size };
    }),
  );
}
